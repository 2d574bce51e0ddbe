import { ActorType, SignalboxError } from "@signalbox/contracts";
import type { Result } from "@signalbox/contracts/sap";
import {
  type Actor,
  learningEvent,
  poorChange,
  pressureIn,
  type Rating,
  ratingFaults,
  redactRationale,
  refuseRating,
  type Signal,
  verdictOf,
  violationCounts,
} from "@signalbox/core";
import { insertSapSignals, latestSapResults, type StoredSapTask, takeRatings } from "@signalbox/db";
import { authorise } from "../../authorise.ts";
import { redactorInForce } from "../../documents/redactor-in-force.ts";
import type { Engine } from "../../engine.ts";
import { makersOf } from "../../identity/key-makers.ts";
import { plainForm } from "../../once/kept-form.ts";
import { transactOnce } from "../../once/transact-once.ts";
import { record } from "../../record.ts";
import { holdsNul, refuseHalfPairs } from "../../storable.ts";
import { tell } from "../../stream/tell.ts";
import type { Asked } from "../../system.ts";
import { readStoredResult, readStoredTask } from "../answer.ts";
import { requireSapTask } from "../read-sap-results.ts";
import { resultRated } from "./entries.ts";
import { signalRow } from "./signal-rows.ts";

const LONGEST_NOTE = 2_000;

/** What is said of a result; what is left out is not said. */
export type RatingSaid = {
  readonly score?: number | undefined;
  readonly approved?: boolean | undefined;
  readonly note?: string | undefined;
};

export type RatedResult = Rating & { readonly taskId: string; readonly by: Actor };

/** SAP-52: a person's word on a result. Said again, it takes the place of what they said before; nothing is overwritten. */
export async function rateResult(
  engine: Engine,
  asked: Asked,
  taskId: string,
  said: RatingSaid,
): Promise<RatedResult> {
  const { caller, requestId } = asked;
  const { tenantId, actor } = caller;
  authorise(caller, "sap.rate", undefined);
  const sent = readRating(said);
  return transactOnce(engine, asked, plainForm<RatedResult>(), async (tx) => {
    const task = await requireSapTask(tx, asked, taskId);
    const [latest] = await latestSapResults(tx, [task]);
    if (latest === undefined) throw new Error(`task ${taskId} is on file without a Result`);
    const result = readStoredResult(latest);
    const submitter = submitterOf(task);
    const submittersMakers = await makersOf(tx, submitter.id);
    refuseRating(sent, actor, { status: result.status, submitter, submittersMakers });
    const redactor = await redactorInForce(engine, tx);
    const rating = { ...sent, note: sent.note === null ? null : redactRationale(redactor, sent.note) };
    const all = await takeRatings(tx, task.taskId);
    if (all === undefined)
      throw new SignalboxError(
        "INVALID_STATE",
        "The result is being rated this very moment. Look at it anew, and say it again.",
      );
    const own = all.find(({ ratedBy }) => ratedBy === actor.id);
    const before = own === undefined ? null : ratingIn(own.signal);
    const others = all.filter((one) => one !== own).map((one) => ratingIn(one.signal));
    const signal: Signal = {
      kind: "rating",
      ...rating,
      pressure: pressureIn(readStoredTask(task).constitutionalContext),
      replaces: before,
      poor: poorChange(verdictIn(task, result), { said: rating, before, others }),
    };
    await insertSapSignals(tx, [signalRow(task, signal, { ratedBy: actor.id })]);
    await record(tx, resultRated({ tenantId, actor, requestId }, task.taskId, rating));
    await tell(tx, learningEvent("rated", { taskId: task.taskId }));
    return { taskId: task.taskId, by: actor, ...rating };
  });
}

/** What the cache answered is an outcome of the task that was worked on, and of no other. */
function verdictIn({ pipelineId }: StoredSapTask, { status, constitutionalEvidence: evidence }: Result) {
  if (pipelineId === null) return undefined;
  return verdictOf({ status, alignment: evidence.alignment, violations: violationCounts(evidence) });
}

/** What a rating's signal says. */
export function ratingIn(text: string): Rating {
  const { score, approved, note }: Rating = JSON.parse(text);
  return { score, approved, note };
}

function readRating({ score, approved, note }: RatingSaid): Rating {
  const text = note?.trim() ?? "";
  const rating: Rating = {
    score: score ?? null,
    approved: approved ?? null,
    note: text === "" ? null : text,
  };
  const violations = [
    ...ratingFaults(rating),
    ...(text.length > LONGEST_NOTE
      ? [{ field: "note", rule: "max_len", message: `at most ${LONGEST_NOTE} characters` }]
      : []),
    ...(holdsNul(text)
      ? [{ field: "note", rule: "no_nul", message: "must not contain the character U+0000" }]
      : []),
  ];
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The rating cannot be kept.", { violations });
  refuseHalfPairs(JSON.stringify(text));
  return rating;
}

const actorTypes = new Map<number, Actor["type"]>([
  [ActorType.AGENT, "agent"],
  [ActorType.HUMAN, "human"],
  [ActorType.SYSTEM, "system"],
]);

const submitterOf = ({ submittedBy, submittedByType }: StoredSapTask): Actor => ({
  type: actorTypes.get(submittedByType) ?? "system",
  id: submittedBy,
});
