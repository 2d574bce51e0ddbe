import type { Caller } from "@signalbox/core";
import { type CredentialHash, type CredentialStanding, credentialStandings } from "@signalbox/db";
import { hashOfSecret } from "../secret.ts";
import type { System } from "../system.ts";

/** What a request was let in with. */
export type Credential = { readonly kind: CredentialHash["kind"]; readonly secret: string };

/** Why whoever was let in is not any more what they were. */
export type Fallen = "ended" | "role-changed";

/** Whether those who stay for long are still who they were when they came. */
export type Standings = {
  watch: (credential: Credential, caller: Caller, onFallen: (why: Fallen) => void) => () => void;
  /** Something has become of a member: no need to wait for the next look. */
  lookNow: () => void;
  stop: () => void;
};

type Watched = { readonly caller: Caller; readonly onFallen: (why: Fallen) => void };
type Held = { readonly credential: CredentialHash; readonly watched: Set<Watched> };

/** Two looks and an answer within the five seconds that a session may outlive its end. */
const LOOK_EVERY_MS = 2_000;
const MOST_A_STATEMENT = 2_000;

/** Asks for all of them at once, and once for a credential that many connections share. */
export function watchStandings(
  { database, clock }: Pick<System, "database" | "clock">,
  onFailure: (error: unknown, what: string) => void,
): Standings {
  const held = new Map<string, Held>();
  let looking = false;
  let isAskedAgain = false;

  async function look(): Promise<void> {
    const all = [...held.values()];
    for (let at = 0; at < all.length; at += MOST_A_STATEMENT) {
      const some = all.slice(at, at + MOST_A_STATEMENT);
      const found = await credentialStandings(
        database,
        some.map(({ credential }) => credential),
      );
      for (const [place, { watched }] of some.entries()) judge(watched, found[place]);
    }
  }

  /** A look that is under way may have begun before what it is asked for. */
  function lookNow(): void {
    if (held.size === 0) return;
    if (looking) {
      isAskedAgain = true;
      return;
    }
    looking = true;
    look()
      // While the database is away nothing is told to anybody either.
      .catch((error: unknown) => onFailure(error, "asking for the standing of sessions and keys"))
      .finally(() => {
        looking = false;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        lookNow();
      });
  }

  const stop = clock.repeat(LOOK_EVERY_MS, lookNow);

  return {
    watch({ kind, secret }, caller, onFallen) {
      const hash = hashOfSecret(secret);
      const name = `${kind}/${Buffer.from(hash).toString("base64")}`;
      const own = held.get(name) ?? { credential: { kind, hash }, watched: new Set() };
      held.set(name, own);
      const one = { caller, onFallen };
      own.watched.add(one);
      return () => {
        own.watched.delete(one);
        if (own.watched.size === 0 && held.get(name) === own) held.delete(name);
      };
    },
    lookNow,
    stop,
  };
}

function judge(watched: ReadonlySet<Watched>, now: CredentialStanding | undefined): void {
  for (const { caller, onFallen } of watched) {
    if (now === undefined || now.tenantId !== caller.tenantId) onFallen("ended");
    else if (now.role !== caller.role) onFallen("role-changed");
  }
}
