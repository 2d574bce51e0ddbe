import { linkMinutes } from "@signalbox/engine";
import type { Config } from "./config.ts";
import type { Started } from "./start.ts";

const roles: Record<Config["role"], string> = {
  all: "all: serves every interface and runs the background loops",
  api: "api: serves every interface; the background loops run elsewhere",
  engine: "engine: runs the background loops; answers /healthz, /readyz and /metrics alone",
};

const demonstration: [string, string] = [
  "Demo",
  "stop this and run `npm run demo`: example packs, policy, templates and agents at work",
];

const once = ({ href }: URL): string => `${href}  (once, within ${linkMinutes} minutes)`;

/** The one thing that the start prints: where to go, how to sign in, where the data is, how to stop. */
export function readyBlock(
  { version, url, signInUrl, tenantSignInUrls, data }: Started,
  { role, byNpmStart }: Pick<Config, "role" | "byNpmStart">,
): string {
  const signIn = signInUrl === undefined ? new URL("/sign-in", url).href : once(signInUrl);
  const lines: [label: string, text: string][] = [
    // It has no pages.
    ["Open", role === "engine" ? new URL("/readyz", url).href : url.origin],
    ...(role === "engine" ? [] : [["Sign in", signIn] satisfies [string, string]]),
    ...tenantSignInUrls.map(({ url: link }): [string, string] => ["", once(link)]),
    // As long as nobody has an account here; the demonstration itself touches nothing that is in use.
    ...(byNpmStart && signInUrl !== undefined ? [demonstration] : []),
    ["Data", data],
    ["Role", roles[role]],
    ["Stop", "Ctrl-C"],
  ];
  return `\nSignalbox ${version} is ready.\n\n${lines.map(([label, text]) => `  ${label.padEnd(9)}${text}`).join("\n")}\n\n`;
}
