import { createSign, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { z } from "zod";

type Person = { sub: string; email?: string; email_verified?: boolean };
type Token = { header: Record<string, unknown>; claims: Record<string, unknown> };
/** What a lying provider answers instead of the ID token that it made; `sign` signs with its real key. */
export type Lie = (token: Token, sign: (token: Token) => string) => string;

export type TestProvider = Awaited<ReturnType<typeof startOidcProvider>>;

export const clientId = "signalbox";
export const clientSecret = "a secret that only the two of us know";

/** `oidc-provider` on a loopback address. Whoever comes is `provider.person`, without being asked. */
export async function startOidcProvider(redirectUri: string) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = z.object({ port: z.number() }).parse(server.address());
  const issuer = `http://127.0.0.1:${address.port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const state: { person: Person; lie: Lie | undefined; inIdToken: boolean } = {
    person: { sub: "nobody" },
    lie: undefined,
    inIdToken: false,
  };

  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "real", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a key of the test's"] },
    features: { devInteractions: { enabled: false } },
    conformIdTokenClaims: true,
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...state.person, sub }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 60, Grant: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
  });
  provider.use(async (context, next) => {
    await next();
    const answered = z.looseObject({ id_token: z.string() }).safeParse(context.body);
    if (context.path !== "/token" || state.lie === undefined || !answered.success) return;
    const [header = "", claims = ""] = answered.data.id_token.split(".");
    const token = { header: decoded(header), claims: decoded(claims) };
    context.body = { ...answered.data, id_token: state.lie(token, (told) => signed(told)) };
  });
  const signed = ({ header, claims }: Token): string => {
    const text = `${encoded(header)}.${encoded(claims)}`;
    return `${text}.${createSign("sha256").update(text).sign(privateKey).toString("base64url")}`;
  };

  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void handle(request, response);
    const admitted = async () => {
      const grant = new provider.Grant({ accountId: state.person.sub, clientId });
      grant.addOIDCScope("openid email");
      const result = { login: { accountId: state.person.sub }, consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    };
    admitted().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  return {
    issuer: new URL(issuer),
    state,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (part: string) =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(part, "base64url").toString("utf8")));
