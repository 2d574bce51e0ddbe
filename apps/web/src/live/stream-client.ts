import type { StreamEvent, StreamMessage } from "@signalbox/api";
import { reconnectDelay, type ConnectionEvent } from "../connection/connection.ts";
import { readMessage } from "./message.ts";

/**
 * What a listener hears. `started` comes first, once its subscription stands, and again when something may have been
 * missed for good: whatever was read before it may be old, so the page reads it anew.
 */
export type LiveMessage = StreamEvent | { readonly type: "started"; readonly topic: string };
type Listener = (message: LiveMessage) => void;

/** As much of a WebSocket as is used, so that tests may hold the other end. */
export type Line = { send(text: string): void; close(): void };
export type LineEvents = {
  readonly opened: () => void;
  readonly said: (data: unknown) => void;
  readonly closed: (code: number) => void;
};

export type Surroundings = {
  readonly open: (events: LineEvents) => Line;
  readonly now: () => number;
  readonly random: () => number;
  /** Gives what calls it off. */
  readonly later: (ms: number, work: () => void) => () => void;
  readonly report: (event: ConnectionEvent) => void;
  /**
   * The line was refused before it stood, or the session counts no longer, or the role is another one now. Says whether
   * anybody is signed in, as far as can be known.
   */
  readonly onDoubt: () => Promise<boolean>;
};

export type StreamClient = {
  readonly listen: (topic: string, listener: Listener) => () => void;
  /** The network is back, or may be: what waits does not wait any longer. */
  readonly comeBack: () => void;
};

type Standing = "unasked" | "asked" | "up" | "refused";
type Listened = {
  /** Whether each has heard that its subscription stands. */
  readonly listeners: Map<Listener, boolean>;
  standing: Standing;
  cursor: string | undefined;
  callOff: (() => void) | undefined;
};

/** A page that follows another listens to the same topics, mostly: they are kept for so long. */
export const LINGER_MS = 2_000;
/** The server says something every 15 seconds; a line that is silent for longer than two of them is dead. */
export const SILENCE_MS = 35_000;
const BEAT_MS = 16_000;

const SIGNED_OUT = 4401;
const ROLE_CHANGED = 4403;
const lastingRefusals = new Set(["NOT_FOUND", "FORBIDDEN", "RATE_LIMITED", "INVALID_STATE"]);

/** One line of a tab to `/v1/stream`, shared by all topics. It comes back by itself, with the cursor of each. */
export function createStreamClient({
  open,
  now,
  random,
  later,
  report,
  onDoubt,
}: Surroundings): StreamClient {
  const topics = new Map<string, Listened>();
  let line: Line | undefined;
  let stands = false;
  let attempts = 0;
  let heardAt = 0;
  /** Until a line stands again nobody tells this page of a role. */
  let isAnotherRole = false;
  let callOffRetry: (() => void) | undefined;
  let callOffWatch: (() => void) | undefined;

  function connect(): void {
    callOffRetry?.();
    callOffRetry = undefined;
    if (line !== undefined || topics.size === 0) return;
    report({ type: "started" });
    const own = open({
      opened() {
        if (line !== own) return;
        stands = true;
        heardAt = now();
        watch(own);
        for (const topic of topics.keys()) ask(topic);
        if (isAnotherRole) void onDoubt();
        isAnotherRole = false;
      },
      said(data) {
        if (line !== own) return;
        heardAt = now();
        const message = readMessage(data);
        if (message !== undefined) hear(message);
      },
      closed: (code) => lose(own, code),
    });
    line = own;
  }

  function lose(own: Line, code: number): void {
    if (line !== own) return;
    const stood = stands;
    forgetLine();
    if (topics.size === 0) {
      report({ type: "rested" });
      return;
    }
    const delay = reconnectDelay(attempts, random);
    attempts += 1;
    // Who comes back as somebody else has lost nothing: a notice of a lost connection would only frighten.
    isAnotherRole ||= code === ROLE_CHANGED;
    const isLoss = code !== SIGNED_OUT && code !== ROLE_CHANGED;
    report(isLoss ? { type: "failed", at: now() } : { type: "rested" });
    if (code !== SIGNED_OUT) callOffRetry = later(delay, connect);
    if (!stood || code === SIGNED_OUT || code === ROLE_CHANGED) void doubt(delay);
  }

  /** Nobody who is signed out is let in, however often they try: whoever signs in listens anew. */
  async function doubt(delay: number): Promise<void> {
    const isSignedIn = await onDoubt();
    if (line !== undefined || topics.size === 0) return;
    if (isSignedIn) {
      callOffRetry ??= later(delay, connect);
      return;
    }
    callOffRetry?.();
    callOffRetry = undefined;
    report({ type: "rested" });
  }

  function forgetLine(): void {
    line = undefined;
    stands = false;
    callOffWatch?.();
    callOffWatch = undefined;
    for (const listened of topics.values()) listened.standing = "unasked";
  }

  /** A network that went away without a word closes nothing. */
  function watch(own: Line): void {
    const left = heardAt + SILENCE_MS - now();
    callOffWatch = later(Math.max(left, 1), () => {
      if (now() - heardAt >= SILENCE_MS) drop(own);
      else watch(own);
    });
  }

  function drop(own: Line): void {
    own.close();
    // The close frame of a dead line is answered by nobody, and the browser waits for it.
    lose(own, 1006);
  }

  function send(message: object): void {
    line?.send(JSON.stringify(message));
  }

  function ask(topic: string): void {
    const listened = topics.get(topic);
    if (listened === undefined || !stands || listened.standing === "asked" || listened.standing === "up")
      return;
    listened.standing = "asked";
    const { cursor } = listened;
    send({ type: "subscribe", topic, ...(cursor === undefined ? {} : { after: cursor }) });
  }

  function hear(message: StreamMessage): void {
    if (message.type === "heartbeat") {
      for (const listened of topics.values())
        if (listened.standing === "up") listened.cursor = message.cursor;
      return;
    }
    const { topic } = message;
    const listened = topic === undefined ? undefined : topics.get(topic);
    if (topic === undefined || listened === undefined) return;
    if (message.type === "subscribed" && listened.standing === "asked")
      begin(topic, listened, message.cursor);
    if (message.type === "error") refuse(topic, listened, message.problem.code);
    // What comes before `subscribed` is of a subscription that was given up.
    if (message.type !== "event" || listened.standing !== "up") return;
    listened.cursor = message.cursor;
    for (const listener of listened.listeners.keys()) listener(message);
  }

  function begin(topic: string, listened: Listened, cursor: string): void {
    attempts = 0;
    report({ type: "opened" });
    const anew = listened.cursor === undefined;
    listened.standing = "up";
    listened.cursor = cursor;
    for (const [listener, started] of listened.listeners) if (anew || !started) start(topic, listener);
  }

  function start(topic: string, listener: Listener): void {
    topics.get(topic)?.listeners.set(listener, true);
    listener({ type: "started", topic });
  }

  /** A cursor that counts no longer is given up; a refusal for good waits for the next line; the rest is asked again. */
  function refuse(topic: string, listened: Listened, code: string): void {
    listened.standing = "refused";
    if (code === "CURSOR_EXPIRED" || code === "VALIDATION_FAILED") {
      if (listened.cursor === undefined && code === "VALIDATION_FAILED") return;
      listened.cursor = undefined;
    } else if (lastingRefusals.has(code)) {
      // The subscription cannot stand, the line can.
      report({ type: "opened" });
      return;
    }
    const own = line;
    later(reconnectDelay(2, random), () => {
      if (line === own) ask(topic);
    });
  }

  function leave(topic: string): void {
    const listened = topics.get(topic);
    topics.delete(topic);
    if (topics.size > 0) {
      if (stands && (listened?.standing === "asked" || listened?.standing === "up"))
        send({ type: "unsubscribe", topic });
      return;
    }
    callOffRetry?.();
    callOffRetry = undefined;
    const own = line;
    forgetLine();
    own?.close();
    report({ type: "rested" });
  }

  return {
    listen(topic, listener) {
      const listened = topics.get(topic) ?? {
        listeners: new Map(),
        standing: "unasked",
        cursor: undefined,
        callOff: undefined,
      };
      topics.set(topic, listened);
      listened.callOff?.();
      listened.callOff = undefined;
      listened.listeners.set(listener, false);
      if (listened.standing === "up")
        queueMicrotask(() => {
          if (listened.listeners.get(listener) === false) start(topic, listener);
        });
      ask(topic);
      if (line === undefined && callOffRetry === undefined) connect();
      return () => {
        listened.listeners.delete(listener);
        if (listened.listeners.size === 0 && topics.get(topic) === listened)
          listened.callOff = later(LINGER_MS, () => leave(topic));
      };
    },
    comeBack() {
      if (line === undefined) {
        connect();
        return;
      }
      if (stands && now() - heardAt > BEAT_MS) drop(line);
    },
  };
}
