import { once } from "node:events";
import { createServer } from "node:net";
import { z } from "zod";
import { clientId, clientSecret, startOidcProvider } from "./oidc-provider.ts";
import { startTestServer } from "./test-server.ts";

/** One that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = z.object({ port: z.number() }).parse(probe.address());
  probe.close();
  await once(probe, "close");
  return port;
}

/** A server at which people may also sign in by a provider. */
export async function startOidcServer(settings: Parameters<typeof startTestServer>[0] = {}) {
  // The provider is told before where Signalbox is, so the port is chosen before it listens.
  const port = await freePort();
  const publicUrl = new URL(`http://127.0.0.1:${port}`);
  const provider = await startOidcProvider(new URL("/v1/session/oidc/callback", publicUrl).href);
  const oidc = { issuer: provider.issuer, clientId, clientSecret };
  const server = await startTestServer({ ...settings, port, publicUrl, oidc });
  return {
    server,
    provider,
    dispose: async () => {
      await server.dispose();
      await provider.close();
    },
  };
}
