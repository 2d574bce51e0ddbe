import { plainly } from "../drawn/plainly.ts";

/** Whether this browser is to say that a question waits. What is kept is the wish alone, and nothing of any tenant. */
const wishKey = "signalbox:notices";

export type NoticeState = "off" | "on" | "refused" | "impossible";

export function noticeState(): NoticeState {
  if (!("Notification" in window)) return "impossible";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && wished() ? "on" : "off";
}

/** A browser that keeps nothing between pages has no storage either. */
function wished(): boolean {
  try {
    return localStorage.getItem(wishKey) === "on";
  } catch {
    return false;
  }
}

function keepWish(wish: "on" | "off"): void {
  try {
    localStorage.setItem(wishKey, wish);
  } catch {
    // The wish is forgotten with the page.
  }
}

/** Browsers ask the person only after a click of theirs. */
export async function turnOn(): Promise<NoticeState> {
  if (!("Notification" in window)) return "impossible";
  await Notification.requestPermission();
  keepWish("on");
  return noticeState();
}

export function turnOff(): NoticeState {
  keepWish("off");
  return noticeState();
}

export const wantsNotice = (): boolean => noticeState() === "on" && document.visibilityState !== "visible";

const mostOfTask = 100;

/** What it says may stand on a locked screen, so it names the task and the stage and never what the question says. */
export function tellInBrowser(
  task: string,
  { stageId, tag }: { stageId: string | null; tag: string },
  onOpen: () => void,
): void {
  const called = task.length > mostOfTask ? `${task.slice(0, mostOfTask).toWellFormed()}…` : task;
  const notice = new Notification("Signalbox: a question waits", {
    body: plainly(
      stageId === null
        ? `${called} waits for an answer.`
        : `${called}: stage ${stageId} waits for an answer.`,
    ),
    tag,
  });
  notice.addEventListener("click", () => {
    window.focus();
    notice.close();
    onOpen();
  });
}
