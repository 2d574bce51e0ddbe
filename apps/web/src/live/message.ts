import type { StreamMessage } from "@signalbox/api";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isProblem = (value: unknown): boolean =>
  isRecord(value) && isText(value.code) && isText(value.title) && typeof value.detail === "string";

/** By the server's own schemas (`@signalbox/contracts/stream`), without the weight of a library that reads schemas. */
const shapes: Record<StreamMessage["type"], (message: Record<string, unknown>) => boolean> = {
  subscribed: ({ topic, cursor }) => isText(topic) && isText(cursor),
  unsubscribed: ({ topic, cursor }) => isText(topic) && isText(cursor),
  heartbeat: ({ cursor }) => isText(cursor),
  event: ({ topic, cursor, kind, at, pipelineId, data }) =>
    isText(topic) &&
    isText(cursor) &&
    isText(kind) &&
    isText(at) &&
    (pipelineId === null || isText(pipelineId)) &&
    isRecord(data),
  error: ({ topic, problem }) => (topic === undefined || isText(topic)) && isProblem(problem),
};
const isKnown = (type: unknown): type is StreamMessage["type"] => isText(type) && Object.hasOwn(shapes, type);

const isMessage = (json: unknown): json is StreamMessage =>
  isRecord(json) && isKnown(json.type) && shapes[json.type](json);

/** Undefined for what this page does not understand: a newer server may say more (docs/stream.md). */
export function readMessage(text: unknown): StreamMessage | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return isMessage(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
