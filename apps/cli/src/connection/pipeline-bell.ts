import type { World } from "../world.ts";
import type { Client } from "./client.ts";

/**
 * Rings when something happened to a pipeline. It says nothing of what: that is asked for, so that a message that was
 * missed, or a stream that cannot be had, costs time and nothing else.
 */
export type Bell = {
  /** Whether it would ring. */
  readonly stands: () => boolean;
  /** Resolves when it rang since it was last waited for, after so long, or when the command is interrupted. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly close: () => void;
};

const TRY_AGAIN_MS = 5_000;
/** What is committed together is told one after another. */
const SETTLE_MS = 30;

export function pipelineBell(
  { now, sleep, interrupted }: Pick<World, "now" | "sleep" | "interrupted">,
  client: Client,
  pipelineId: string,
): Bell {
  let rung = new AbortController();
  let socket: WebSocket | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let subscribed = false;

  function open(): void {
    if (socket !== undefined || now().getTime() - triedAt < TRY_AGAIN_MS) return;
    triedAt = now().getTime();
    const own = client.openSocket("/v1/stream");
    socket = own;
    const gone = () => {
      if (socket === own) [socket, subscribed] = [undefined, false];
    };
    own.addEventListener("open", () => {
      own.send(JSON.stringify({ type: "subscribe", topic: `pipeline:${pipelineId}` }));
    });
    own.addEventListener("message", ({ data }) => {
      const type = typeOf(String(data));
      // What happened before it stood is asked for once more.
      if (type === "subscribed") subscribed = true;
      if (type === "subscribed" || type === "event") rung.abort();
    });
    own.addEventListener("error", gone);
    own.addEventListener("close", gone);
  }

  open();
  return {
    stands: () => subscribed,
    async wait(milliseconds) {
      open();
      await sleep(milliseconds, AbortSignal.any([interrupted, rung.signal]));
      if (!rung.signal.aborted || interrupted.aborted) return;
      await sleep(SETTLE_MS, interrupted);
      rung = new AbortController();
    },
    close() {
      socket?.close();
    },
  };
}

function typeOf(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && "type" in message ? message.type : undefined;
  } catch {
    return undefined;
  }
}
