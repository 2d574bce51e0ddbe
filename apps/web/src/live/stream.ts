import { onLineOpened, reportLine } from "../connection/connection-store.ts";
import { endpoints } from "../paths.ts";
import { currentSession } from "../session/session.ts";
import { announceEnd, announceRoleChange } from "../session/session-channel.ts";
import { queryClient } from "../trpc.ts";
import { createStreamClient } from "./stream-client.ts";

/** The tab's one line to what happens. The cookie of the session goes with the upgrade. */
const stream = createStreamClient({
  open({ opened, said, closed }) {
    const socket = new WebSocket(endpoints.stream(window.location.origin));
    socket.addEventListener("open", opened);
    socket.addEventListener("message", ({ data }) => said(data));
    socket.addEventListener("close", ({ code }) => closed(code));
    return socket;
  },
  now: () => performance.now(),
  random: Math.random,
  later(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  report: (event) => reportLine("stream", event.type === "failed" ? { ...event, at: Date.now() } : event),
  onDoubt: isAnybodySignedIn,
});

let followsNetwork = false;

export const listen: typeof stream.listen = (topic, listener) => {
  if (!followsNetwork) {
    followsNetwork = true;
    onLineOpened(() => stream.comeBack());
    window.addEventListener("online", () => stream.comeBack());
  }
  return stream.listen(topic, listener);
};

/** A refused upgrade tells a page nothing of why: only the session itself says whether it still counts, and as what. */
async function isAnybodySignedIn(): Promise<boolean> {
  const before = queryClient.getQueryData(currentSession().queryKey);
  try {
    const now = await queryClient.fetchQuery({ ...currentSession(), staleTime: 0 });
    if (now === null && before !== null) announceEnd("session-ended");
    else if (now?.role !== before?.role) announceRoleChange();
    return now !== null;
  } catch {
    // Nobody answers: the line itself is lost, and comes back as such.
    return true;
  }
}
