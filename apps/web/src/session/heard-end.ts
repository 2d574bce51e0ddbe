import { onSessionNews } from "./session-channel.ts";

let heard = false;

onSessionNews((news) => {
  if (news !== "role-changed") heard = news === "session-ended";
});

/** Whether whoever stands at the sign-in page was signed in a moment ago, and did not leave by themselves. */
export const hasHeardEnd = (): boolean => heard;

export function forgetEnd(): void {
  heard = false;
}
