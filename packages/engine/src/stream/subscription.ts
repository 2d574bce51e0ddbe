import { SignalboxError } from "@signalbox/contracts";
import {
  familiesOf,
  type FeedPosition,
  judgeCursor,
  mayListen,
  readTopic,
  type Topic,
  topicNames,
} from "@signalbox/core";
import { feedStanding, type FeedPart, hasPipeline, replayEvents } from "@signalbox/db";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { type FedEvent, fedEvent, readFeedCursor } from "./fed-event.ts";

export type Subscription = {
  readonly topic: Topic;
  /** Undefined: from now on. */
  readonly after: FeedPosition | undefined;
};

/** Whether the caller may listen to the topic, and whether all that came after the cursor can be told. */
export async function openSubscription(
  system: System,
  { caller }: Asked,
  asked: { topic: string; after?: string | undefined },
): Promise<Subscription> {
  const topic = readTopic(asked.topic);
  if (topic === undefined) throw refuseField("topic", "topic", `is none of ${topicNames}`);
  const decision = mayListen(caller, topic);
  if (!decision.allowed) throw new SignalboxError("FORBIDDEN", `Not allowed: ${decision.reason}.`);
  const after = asked.after === undefined ? undefined : readFeedCursor(asked.after);
  if (asked.after !== undefined && after === undefined)
    throw refuseCursor("is no cursor that was given here");
  const { tenantId } = caller;
  await transact(system, tenantId, async (tx) => {
    if (topic.kind === "pipeline" && !(await hasPipeline(tx, topic.pipelineId)))
      throw new SignalboxError("NOT_FOUND", `There is no pipeline "${topic.pipelineId}".`);
    if (after === undefined) return;
    const judgement = judgeCursor(after, { tenantId, ...(await feedStanding(tx)) });
    if (judgement === "foreign") throw refuseCursor("is not one that was given to this tenant");
    if (judgement === "expired") throw cursorExpired();
  });
  return { topic, after };
}

const refuseField = (field: string, rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", "The subscription cannot be opened.", {
    violations: [{ field, rule, message }],
  });

const refuseCursor = (message: string) => refuseField("after", "cursor", message);

export const cursorExpired = () =>
  new SignalboxError(
    "CURSOR_EXPIRED",
    "Not everything that came after this cursor is kept any more. Subscribe without a cursor, and then read anew what " +
      "the topic tells of.",
    { violations: [{ field: "after", rule: "cursor_expired", message: "is older than what is kept" }] },
  );

const MOST_LOOKED_AT = 1_000;

export type Replayed = {
  /** Those of the topic, in their order. */
  readonly events: readonly FedEvent[];
  /** The replay goes on after it. */
  readonly next: FeedPosition;
};

/** The next page of what a topic told before. */
export async function replayTopic(
  system: System,
  tenantId: string,
  topic: Topic,
  { after, until }: { after: FeedPosition; until: FeedPosition },
): Promise<Replayed> {
  const { events, next, forgotten } = await transact(system, tenantId, (tx) =>
    replayEvents(tx, partOf(topic), { after, until, most: MOST_LOOKED_AT }),
  );
  if (forgotten) throw cursorExpired();
  return { events: events.map((event) => fedEvent(tenantId, event)), next };
}

/** Only what `tenant` carries is many; the others have an index of what is seldom. */
const partOf = (topic: Topic): FeedPart =>
  topic.kind === "pipeline"
    ? { pipelineId: topic.pipelineId }
    : { families: familiesOf(topic.kind), seldom: topic.kind !== "tenant" };
