import { AuditEventType, SignalboxError } from "@signalbox/contracts";
import {
  type Destination,
  factOf,
  type RegisteredManifests,
  readDocument,
  type ReplayedDispatch,
  replayDispatch,
  type RoutingPolicy,
} from "@signalbox/core";
import { type AuditEntry, findTaskNames, listAuditEntries, type TaskNames } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { readManifests } from "./examine.ts";
import { documentActions } from "./kinds.ts";
import { knownPacks } from "./publish.ts";
import { validDocument } from "./refusals.ts";

type RecordedDispatch = {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly taskType: string;
  readonly at: Date;
  readonly before: Destination;
};
/** A recorded dispatch that would come out otherwise. */
type MovedDispatch = RecordedDispatch & { readonly after: Destination; readonly why: string };
/** One of which nobody can say: packs are named now that nobody weighed then. It is no change, and it is not the same. */
type UndecidedDispatch = RecordedDispatch & { readonly packIds: readonly string[]; readonly why: string };

/** By what people know the task. */
type Named<Dispatch> = Dispatch & TaskNames;

export type Simulation = {
  /** Decisions on record that were looked at, at most as many as were asked for. */
  readonly looked: number;
  readonly same: number;
  readonly elsewhere: number;
  readonly undecidable: number;
  /** Entries that tell too little to be taken again: masked, or of an earlier form. */
  readonly unreadable: number;
  /** The newest first, and of the undecidable likewise. */
  readonly differing: readonly Named<MovedDispatch>[];
  readonly undecided: readonly Named<UndecidedDispatch>[];
};

export const simulationLimit = { usual: 200, most: 1_000 } as const;
/** What one page of a browser shows; the counts tell of the rest. */
const MOST_TOLD = 200;

/** DSP-110: the newest recorded decisions taken again under a policy that is not in force. Nothing is kept. */
export async function simulatePolicy(
  system: System,
  { caller }: Asked,
  { text, last = simulationLimit.usual }: { text: string; last?: number | undefined },
): Promise<Simulation> {
  authorise(caller, documentActions["routing-policy"].read, undefined);
  const most = readLast(last);
  const { known, manifests, entries } = await transact(system, caller.tenantId, async (tx) => ({
    known: await knownPacks(tx, "routing-policy"),
    manifests: Map.groupBy(await readManifests(tx), ({ packId }) => packId),
    entries: await decisions(tx, most),
  }));
  const policy = validDocument("routing-policy", readDocument("routing-policy", text, { known }));
  const replayed = entries.map((one) => replayEntry(one, policy, manifests));
  const told = replayed.filter((one) => typeof one === "object");
  const moved = told.filter((one) => "after" in one);
  const undecided = told.filter((one) => "packIds" in one);
  const shown = { differing: moved.slice(0, MOST_TOLD), undecided: undecided.slice(0, MOST_TOLD) };
  const named = await transact(system, caller.tenantId, (tx) =>
    findTaskNames(
      tx,
      [...shown.differing, ...shown.undecided].map(({ pipelineId }) => pipelineId),
    ),
  );
  return {
    looked: entries.length,
    same: replayed.filter((one) => one === "same").length,
    elsewhere: moved.length,
    undecidable: undecided.length,
    unreadable: replayed.filter((one) => one === "unreadable").length,
    differing: shown.differing.map((one) => Object.assign(one, nameOf(named, one))),
    undecided: shown.undecided.map((one) => Object.assign(one, nameOf(named, one))),
  };
}

function nameOf(
  named: ReadonlyMap<string, TaskNames>,
  { pipelineId }: Pick<RecordedDispatch, "pipelineId">,
): TaskNames {
  const { sourceTaskId = null, taskTitle = null } = named.get(pipelineId) ?? {};
  return { sourceTaskId, taskTitle };
}

const decisions = async (tx: Parameters<typeof listAuditEntries>[0], limit: number): Promise<AuditEntry[]> =>
  (await listAuditEntries(tx, { eventType: AuditEventType.DISPATCH_DECISION, limit })).entries;

function replayEntry(
  { payload, pipelineId }: AuditEntry,
  policy: RoutingPolicy,
  manifests: RegisteredManifests,
): MovedDispatch | UndecidedDispatch | "same" | "unreadable" {
  try {
    const { snapshot, stageId, attemptNumber } = factOf(JSON.parse(payload));
    if (snapshot?.case !== "dispatch" || snapshot.value.rejectionReasons === undefined) return "unreadable";
    const replay = replayDispatch(snapshot.value.rejectionReasons, policy, manifests);
    if (replay.kind === "same") return "same";
    const { facts, before } = replay;
    const { taskType } = facts.request;
    return {
      pipelineId: pipelineId ?? "",
      stageId: stageId ?? "",
      attemptNumber,
      taskType,
      at: new Date(facts.decidedAt),
      before,
      ...outcomeOf(replay),
    };
  } catch {
    return "unreadable";
  }
}

const outcomeOf = (replay: Exclude<ReplayedDispatch, { kind: "same" }>) =>
  replay.kind === "elsewhere"
    ? { after: replay.after, why: replay.why }
    : {
        packIds: replay.packIds,
        why: `Nobody wrote down then how ${replay.packIds.join(", ")} stood: the policy of that moment did not name ${replay.packIds.length === 1 ? "it" : "them"}.`,
      };

function readLast(last: number): number {
  if (Number.isInteger(last) && last >= 1 && last <= simulationLimit.most) return last;
  throw new SignalboxError("VALIDATION_FAILED", "The simulation cannot be run.", {
    violations: [
      { field: "last", rule: "range", message: `a whole number from 1 to ${simulationLimit.most}` },
    ],
  });
}
