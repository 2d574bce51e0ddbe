import { z } from "zod";

/** Of a topic's name: `pipeline:` and the longest pipeline id fit. */
const LONGEST_TOPIC = 100;
const LONGEST_CURSOR = 512;

const TopicSchema = z.string().min(1).max(LONGEST_TOPIC);

/** Begins with what comes after the cursor; without one, with what comes from now on. */
export const SubscribeSchema = z.strictObject({
  type: z.literal("subscribe"),
  topic: TopicSchema,
  after: z.string().min(1).max(LONGEST_CURSOR).optional(),
});

export const UnsubscribeSchema = z.strictObject({ type: z.literal("unsubscribe"), topic: TopicSchema });

/** What a reader of `/v1/stream` may send: text frames, each one of these as JSON. */
export const StreamRequestSchema = z.discriminatedUnion("type", [SubscribeSchema, UnsubscribeSchema], {
  error: (issue) => (issue.code === "invalid_union" ? 'expected "subscribe" or "unsubscribe"' : undefined),
});
export type StreamRequest = z.infer<typeof StreamRequestSchema>;
