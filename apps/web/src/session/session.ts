import { queryOptions } from "@tanstack/react-query";
import { endpoints } from "../paths.ts";
import { fetchJson } from "../problem/fetch-json.ts";
import { isSignedOut, parseProblem, problemOf, type Problem } from "../problem/problem.ts";
import { client, queryClient } from "../trpc.ts";
import { announceEnd, announceSignedIn } from "./session-channel.ts";
import { dropToken } from "./sign-in-link.ts";

/**
 * Who is signed in, or null. It changes by signing in and out alone, so it is asked for once a page load. The cookie
 * of a session that ended is refused by the server, which here is no failure: nobody is signed in.
 */
export const currentSession = () =>
  queryOptions({
    queryKey: ["session", "current"],
    queryFn: async ({ signal }) => {
      try {
        return await client.session.current.query(undefined, { signal });
      } catch (error) {
        if (isSignedOut(error)) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });

export type Exchange =
  | { outcome: "signed-in" }
  | { outcome: "refused"; problem: Problem }
  | { outcome: "unanswered"; problem: Problem };

/** A link that the server has judged is used up either way; one it never saw can be tried again. */
export async function exchangeToken(token: string): Promise<Exchange> {
  try {
    const response = await fetch(endpoints.session, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (response.ok) {
      dropToken();
      queryClient.clear();
      announceSignedIn();
      return { outcome: "signed-in" };
    }
    const problem = parseProblem(await response.json());
    if (problem !== undefined && response.status < 500) {
      dropToken();
      return { outcome: "refused", problem };
    }
    return { outcome: "unanswered", problem: problem ?? problemOf(undefined) };
  } catch (error) {
    return { outcome: "unanswered", problem: problemOf(error) };
  }
}

/** Throws the server's refusal, as tRPC would. */
export async function signInByPassword(wanted: {
  email: string;
  password: string;
  tenantId?: string;
}): Promise<void> {
  await fetchJson(endpoints.session, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  queryClient.clear();
  announceSignedIn();
}

/** Rejects when the server did not hear of it: a page that only looks signed out would be a trap. */
export async function signOut(): Promise<void> {
  const response = await fetch(endpoints.session, { method: "DELETE" });
  if (!response.ok && response.status !== 401)
    throw new Error(`sign-out was answered with ${response.status}`);
  announceEnd("signed-out");
}
