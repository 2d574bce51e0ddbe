import type { OidcClaims } from "@signalbox/core";

/** What the browser keeps between leaving for the provider and coming back; it is of use to nobody else. */
export type OidcFlow = { state: string; nonce: string; verifier: string };

/** The OIDC provider, as the doors need it. The process makes one where the configuration names an issuer. */
export type IdentityProvider = {
  /** Where to send the browser, and what it must bring back. */
  begin(): Promise<{ url: URL; flow: OidcFlow }>;
  /** Who the provider says it is; refuses with UNAUTHENTICATED whatever does not fit the flow. */
  finish(callback: URL, flow: OidcFlow): Promise<OidcClaims>;
};
