import { parseJson, checkShape, SignalboxError, toSignalboxError } from "@signalbox/contracts";
import { STREAM_CLOSE_CODES, StreamRequestSchema, type StreamRequest } from "@signalbox/contracts/stream";
import { type Asked, type Engine, feedCursor, openSubscription } from "@signalbox/engine";
import type { FastifyBaseLogger } from "fastify";
import { deliver, type Delivery } from "./deliver.ts";
import type { FanOut, Joined } from "./fan-out.ts";
import { streamLimits } from "./limits.ts";
import { errorFrame, messageFrame } from "./messages.ts";
import type { Outlet } from "./outlet.ts";

/** One reader's connection: what it asks for, and what it has. */
export type Connection = {
  readonly onMessage: (text: string | undefined) => void;
  /** Tells where all subscriptions stand, unless one is still behind. */
  readonly heartbeat: () => void;
  /** The connection has ended. */
  readonly end: () => void;
};

type Open = {
  readonly over: AbortController;
  delivery: Delivery | undefined;
  /** Settles once it is known whether it may be. */
  opened: Promise<void>;
  /** The reader has taken it back, and with it what it asked for of this topic meanwhile. */
  takenBack: boolean;
};

export type ConnectionParts = {
  readonly engine: Engine;
  readonly fanOut: FanOut;
  readonly asked: Asked;
  readonly outlet: Outlet;
  readonly log: FastifyBaseLogger;
};

export function createConnection({ engine, fanOut, asked, outlet, log }: ConnectionParts): Connection {
  const { tenantId } = asked.caller;
  const subscriptions = new Map<string, Open>();
  const mayGoOn = messageBudget(engine);
  let faults = 0;

  function refuse(thrown: unknown, topic?: string): void {
    const error = toSignalboxError(thrown);
    if (error.code === "INTERNAL") log.error({ err: error }, "a subscription failed");
    outlet.write(errorFrame(error, asked.requestId, topic));
  }

  function onMessage(text: string | undefined): void {
    if (!outlet.isOpen()) return;
    if (!mayGoOn()) {
      outlet.close(STREAM_CLOSE_CODES.POLICY_VIOLATION, "too many messages");
      return;
    }
    attempt(() => act(readRequest(text)));
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      faults += 1;
      refuse(error);
      if (faults >= streamLimits.faults)
        outlet.close(STREAM_CLOSE_CODES.POLICY_VIOLATION, "too many messages that cannot be read");
    }
  }

  function act(request: StreamRequest): void {
    const { topic } = request;
    if (request.type === "unsubscribe") {
      unsubscribe(topic);
      return;
    }
    const before = subscriptions.get(topic);
    if (before !== undefined && before.delivery === undefined) {
      // Should that one be refused, this one is the first.
      void before.opened.then(() => !before.takenBack && outlet.isOpen() && attempt(() => act(request)));
      return;
    }
    if (before !== undefined)
      throw refusal("INVALID_STATE", `This connection has subscribed to ${topic} already.`);
    if (subscriptions.size >= streamLimits.subscriptions)
      throw refusal("RATE_LIMITED", `A connection has at most ${streamLimits.subscriptions} subscriptions.`);
    const open: Open = {
      over: new AbortController(),
      delivery: undefined,
      opened: Promise.resolve(),
      takenBack: false,
    };
    subscriptions.set(topic, open);
    open.opened = subscribe(request, open);
  }

  /** Settles once it is delivered, or refused. */
  async function subscribe(
    request: Extract<StreamRequest, { type: "subscribe" }>,
    open: Open,
  ): Promise<void> {
    const { signal } = open.over;
    const end = (error: unknown): void => {
      if (signal.aborted) return;
      open.over.abort();
      if (subscriptions.get(request.topic) === open) subscriptions.delete(request.topic);
      refuse(error, request.topic);
    };
    try {
      const subscription = await openSubscription(engine, asked, request);
      const joined: Joined = await fanOut.join(tenantId);
      if (signal.aborted) {
        joined.leave();
        return;
      }
      signal.addEventListener("abort", joined.leave, { once: true });
      open.delivery = deliver({
        engine,
        tenantId,
        subscription,
        joined,
        outlet,
        over: signal,
        onForgotten: end,
      });
      open.delivery.caughtUp.catch(end);
    } catch (error) {
      end(error);
    }
  }

  function unsubscribe(topic: string): void {
    const open = subscriptions.get(topic);
    if (open === undefined) throw refusal("INVALID_STATE", `This connection has not subscribed to ${topic}.`);
    const position = open.delivery?.position();
    open.takenBack = true;
    subscriptions.delete(topic);
    open.over.abort();
    if (position === undefined) return;
    outlet.write(messageFrame({ type: "unsubscribed", topic, cursor: feedCursor(tenantId, position) }));
  }

  return {
    onMessage,
    heartbeat() {
      const deliveries = [...subscriptions.values()].map(({ delivery }) => delivery);
      const [first] = deliveries;
      if (first === undefined || !deliveries.every((delivery) => delivery?.isLive() === true)) return;
      outlet.write(messageFrame({ type: "heartbeat", cursor: feedCursor(tenantId, first.position()) }));
    },
    end() {
      for (const { over } of subscriptions.values()) over.abort();
      subscriptions.clear();
    },
  };
}

function readRequest(text: string | undefined): StreamRequest {
  if (text === undefined) throw refusal("MALFORMED_BODY", "A message is one text frame with a JSON object.");
  if (text.length > streamLimits.messageCharacters)
    throw refusal("PAYLOAD_TOO_LARGE", `A message has at most ${streamLimits.messageCharacters} characters.`);
  return checkShape(StreamRequestSchema, parseJson(text, { maxDepth: 4, maxValues: 16 }));
}

const refusal = (code: ConstructorParameters<typeof SignalboxError>[0], detail: string) =>
  new SignalboxError(code, detail);

/** A reader has little to say: what it may save up, and how fast it may spend it. */
function messageBudget({ clock }: Pick<Engine, "clock">): () => boolean {
  let left: number = streamLimits.messages;
  let last = clock.now().getTime();
  return () => {
    const now = clock.now().getTime();
    // A clock that was set back gives nothing.
    const earned = (Math.max(0, now - last) / 1_000) * streamLimits.messagesPerSecond;
    left = Math.min(streamLimits.messages, left + earned) - 1;
    last = now;
    return left >= 0;
  };
}
