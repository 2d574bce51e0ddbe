import { isSignedOut } from "../problem/problem.ts";
import { queryClient } from "../trpc.ts";
import { announceEnd } from "./session-channel.ts";
import { currentSession } from "./session.ts";

/**
 * A refusal of what somebody asked for may be the first that is heard of their session's end: they go to sign in, and come
 * back to what they wrote. On the sign-in page itself the same refusal means a wrong password.
 */
export function endIfSignedOut(error: unknown): void {
  const session = queryClient.getQueryData(currentSession().queryKey) ?? null;
  if (isSignedOut(error) && session !== null) announceEnd("session-ended");
}
