import { SignalboxError } from "@signalbox/contracts";
import type { IdentityProvider } from "@signalbox/engine";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { z } from "zod";

type OidcSettings = { issuer: URL; clientId: string; clientSecret: string };

/** Signatures that only the provider can make. `none` is no signature, and whoever has our secret can make an HS one. */
const algorithms = new Set("RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" "));
const answerSeconds = 10;
const callbackPath = "/v1/session/oidc/callback";

const person = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().max(1_000).optional(),
  // Some providers write it as text.
  email_verified: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
});

/**
 * The provider that the configuration names. It is asked for its metadata when somebody first signs in so, and again after a
 * failure: a provider that is away must not keep Signalbox from starting.
 */
export function createIdentityProvider(settings: OidcSettings, publicUrl: URL): IdentityProvider {
  const redirectUri = new URL(callbackPath, publicUrl).href;
  let known: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined;
      throw new SignalboxError("UNAVAILABLE", "The OIDC provider does not answer as one.", { cause: error });
    });
    return known;
  };

  return {
    async begin() {
      const provider = await configuration();
      const flow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: "openid email",
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
        state: flow.state,
        nonce: flow.nonce,
      });
      return { url, flow };
    },

    async finish(callback, flow) {
      const provider = await configuration();
      try {
        const tokens = await authorizationCodeGrant(provider, callback, {
          pkceCodeVerifier: flow.verifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
        refuseAlgorithm(tokens.id_token ?? "");
        const said = person.parse(tokens.claims());
        // The standard puts the address where the access token reads it; many put it in the ID token as well.
        const more =
          said.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
            ? person.parse(await fetchUserInfo(provider, tokens.access_token, said.sub))
            : said;
        return {
          issuer: provider.serverMetadata().issuer,
          subject: said.sub,
          email: more.email,
          emailVerified: String(more.email_verified) === "true",
        };
      } catch (error) {
        throw new SignalboxError("UNAUTHENTICATED", "What came from the OIDC provider cannot be used.", {
          cause: error,
        });
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  return discovery(issuer, clientId, undefined, bySecret(clientSecret), {
    timeout: answerSeconds,
    execute: [
      // TLS alone would do where the token comes from the provider itself; its signature holds whoever stands between.
      enableNonRepudiationChecks,
      // The configuration lets http through for this machine only.
      ...(issuer.protocol === "http:" ? [allowInsecureRequests] : []),
    ],
  });
}

/** Basic is the standard's default; some providers take the body only, and say so. */
function bySecret(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (taken.includes("client_secret_basic") ? basic : post)(server, client, body, headers);
  };
}

function refuseAlgorithm(idToken: string): void {
  const header: unknown = JSON.parse(
    Buffer.from(idToken.split(".", 1)[0] ?? "", "base64url").toString("utf8"),
  );
  const { alg } = z.looseObject({ alg: z.string() }).parse(header);
  if (!algorithms.has(alg)) throw new Error(`the ID token is signed by ${alg}`);
}
