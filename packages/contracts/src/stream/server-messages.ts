import { z } from "zod";

const cursor = z.string().min(1);
const topic = z.string().min(1);

/** The subscription stands, and goes on after this cursor. */
export const SubscribedSchema = z.looseObject({ type: z.literal("subscribed"), topic, cursor });

/** Nothing more of this topic comes. */
export const UnsubscribedSchema = z.looseObject({ type: z.literal("unsubscribed"), topic, cursor });

/** One event, as a topic of the subscriptions carries it. `data` depends on `kind`: see docs/stream.md. */
export const StreamEventSchema = z.looseObject({
  type: z.literal("event"),
  topic,
  cursor,
  /** Such as `pipeline.changed`. More kinds may come; a reader passes over those that it does not know. */
  kind: z.string().min(1),
  at: z.iso.datetime(),
  pipelineId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type StreamEvent = z.infer<typeof StreamEventSchema>;

/** Sent at intervals while all subscriptions are up to date: each of them may go on after this cursor. */
export const HeartbeatSchema = z.looseObject({ type: z.literal("heartbeat"), cursor });

/** A request that was refused, or a subscription (then `topic` names it) that has ended. */
export const StreamErrorSchema = z.looseObject({
  type: z.literal("error"),
  topic: topic.optional(),
  problem: z.looseObject({
    code: z.string(),
    title: z.string(),
    detail: z.string(),
    violations: z
      .array(z.looseObject({ field: z.string(), rule: z.string(), message: z.string() }))
      .readonly(),
  }),
});

/** What `/v1/stream` sends: text frames, each one of these as JSON. A reader passes over types that it does not know. */
export const StreamMessageSchema = z.discriminatedUnion("type", [
  SubscribedSchema,
  UnsubscribedSchema,
  StreamEventSchema,
  HeartbeatSchema,
  StreamErrorSchema,
]);
export type StreamMessage = z.infer<typeof StreamMessageSchema>;

/** Why the server closes a connection (RFC 6455 §7.4.2), and whether to come back. */
export const STREAM_CLOSE_CODES = {
  /** The process stops: come back at once, with the last cursor of each topic. */
  RESTART: 1012,
  /** Too many messages, or too many that could not be read. */
  POLICY_VIOLATION: 1008,
  /** The session has ended, or the key was revoked or has expired: sign in anew. */
  UNAUTHENTICATED: 4401,
  /** The role is another one now: come back, and be judged by it. */
  ROLE_CHANGED: 4403,
  /** It did not read what was sent: come back with the last cursor that was read. */
  TOO_SLOW: 4408,
} as const;
