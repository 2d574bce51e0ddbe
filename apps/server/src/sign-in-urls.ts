import { createSignInLink, firstTenant, type System } from "@signalbox/engine";
import type { Config } from "./config.ts";

type SignIn = { config: Config; system: System; serving: URL; requestId: string };

/** Where an administrator can sign in by themselves, no link is printed that whoever reads it could use. */
export async function signInUrlsOf({ config, system, serving, requestId }: SignIn) {
  if (config.role === "engine") return { signInUrl: undefined, tenantSignInUrls: [] };
  const always = config.signInLink === "always";
  const urlFor = async (tenantId: string): Promise<URL | undefined> => {
    const token = await createSignInLink(system, { tenantId, requestId, always });
    if (token === undefined) return undefined;
    const url = new URL("/sign-in", serving);
    if (tenantId !== firstTenant.tenantId) url.searchParams.set("tenant", tenantId);
    url.hash = token;
    return url;
  };
  const signInUrl = await urlFor(firstTenant.tenantId);
  const tenantSignInUrls: { tenantId: string; url: URL }[] = [];
  for (const { tenantId } of config.tenants) {
    const url = await urlFor(tenantId);
    if (url !== undefined) tenantSignInUrls.push({ tenantId, url });
  }
  return { signInUrl, tenantSignInUrls };
}
