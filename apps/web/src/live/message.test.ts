import { expect, test } from "vitest";
import { readMessage } from "./message.ts";

const event = {
  type: "event",
  topic: "pipeline:1",
  cursor: "c1",
  kind: "pipeline.changed",
  at: "2030-01-01T00:00:00.000Z",
  pipelineId: "1",
  data: { revision: 3 },
};
const problem = { code: "NOT_FOUND", title: "Not found", detail: "There is none.", violations: [] };

test.each([
  { type: "subscribed", topic: "tenant", cursor: "c" },
  { type: "unsubscribed", topic: "tenant", cursor: "c" },
  { type: "heartbeat", cursor: "c" },
  event,
  { ...event, pipelineId: null, more: "than is known" },
  { type: "error", problem },
  { type: "error", topic: "tenant", problem },
])("%j is read", (message) => {
  expect(readMessage(JSON.stringify(message))).toEqual(message);
});

test.each([
  undefined,
  new Uint8Array(2),
  "",
  "null",
  "[]",
  "{",
  `{"type":"constructor"}`,
  `{"type":"made-later","cursor":"c"}`,
  `{"type":"heartbeat"}`,
  `{"type":"heartbeat","cursor":7}`,
  `{"type":"error","problem":{"code":"X"}}`,
  ...["topic", "cursor", "kind", "at", "pipelineId", "data"].map((name) =>
    JSON.stringify({ ...event, [name]: undefined }),
  ),
])("%j is passed over", (text) => {
  expect(readMessage(text)).toBeUndefined();
});
