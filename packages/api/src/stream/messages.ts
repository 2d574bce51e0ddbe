import { type SignalboxError, toProblem } from "@signalbox/contracts";
import type { StreamMessage } from "@signalbox/contracts/stream";
import type { FedEvent } from "@signalbox/engine";
import { textFrame } from "./frame.ts";

type Told = Exclude<StreamMessage, { type: "event" }>;

export const messageFrame = (message: Told): Buffer => textFrame(JSON.stringify(message));

export const errorFrame = (error: SignalboxError, requestId: string, topic?: string): Buffer =>
  messageFrame({
    type: "error",
    ...(topic === undefined ? {} : { topic }),
    problem: toProblem(error, { requestId }),
  });

const encoded = new WeakMap<FedEvent, { readonly rest: string; readonly frames: Map<string, Buffer> }>();

/** One encoding of an event, whoever hears it; of its topics each has its frame. The payload is JSON as it was stored. */
function eventFrame(event: FedEvent, topic: string): Buffer {
  let known = encoded.get(event);
  if (known === undefined) {
    known = { rest: restOf(event), frames: new Map() };
    encoded.set(event, known);
  }
  let frame = known.frames.get(topic);
  if (frame === undefined) {
    frame = textFrame(`{"type":"event","topic":${JSON.stringify(topic)},${known.rest}`);
    known.frames.set(topic, frame);
  }
  return frame;
}

function restOf({ cursor, kind, recordedAt, pipelineId, payload }: FedEvent): string {
  const head = JSON.stringify({ cursor, kind, at: new Date(recordedAt).toISOString(), pipelineId });
  return `${head.slice(1, -1)},"data":${payload}}`;
}

export const eventFrames = (events: readonly FedEvent[], topic: string): Buffer =>
  Buffer.concat(events.map((event) => eventFrame(event, topic)));
