import { onSessionNews } from "./session-channel.ts";

/** Of this tab, and there again after a reload. */
const heardKey = "signalbox.session-ended";

onSessionNews((news) => {
  if (news === "session-ended") hear();
  else if (news !== "role-changed") forgetEnd();
});

function hear(): void {
  try {
    window.sessionStorage.setItem(heardKey, "heard");
  } catch {
    // Where nothing can be kept, nothing is told of it: the page itself is the same.
  }
}

/** Whether whoever stands at the sign-in page was signed in before, and did not leave by themselves. */
export function hasHeardEnd(): boolean {
  try {
    return window.sessionStorage.getItem(heardKey) !== null;
  } catch {
    return false;
  }
}

export function forgetEnd(): void {
  try {
    window.sessionStorage.removeItem(heardKey);
  } catch {
    // As above.
  }
}
