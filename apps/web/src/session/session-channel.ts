import { noteSignedOut } from "../documents/drop-drafts.ts";

/** News of one tab to the others: the one that waits goes on, the open ones leave. A session may also end by itself. */
export type SessionNews = "signed-in" | "signed-out" | "session-ended" | "role-changed";

const listeners = new Set<(news: SessionNews) => void>();
let channel: BroadcastChannel | undefined;

const tell = (news: SessionNews): void => {
  for (const listener of listeners) listener(news);
};

function openChannel(): BroadcastChannel {
  if (channel === undefined) {
    channel = new BroadcastChannel("signalbox.session");
    channel.addEventListener("message", ({ data }: MessageEvent<SessionNews>) => tell(data));
  }
  return channel;
}

/** A broadcast channel reaches this origin's own pages only, and takes no target origin. */
const broadcast = (news: SessionNews): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  openChannel().postMessage(news);
};

/** The tab that signed in goes on by itself; only the others need to hear of it. */
export const announceSignedIn = (): void => broadcast("signed-in");

export function announceEnd(news: "signed-out" | "session-ended"): void {
  if (news === "signed-out") noteSignedOut(window, Date.now());
  broadcast(news);
  tell(news);
}

export function onSessionNews(listener: (news: SessionNews) => void): () => void {
  openChannel();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Each tab hears of it over its own stream. */
export const announceRoleChange = (): void => tell("role-changed");
