import { hash } from "node:crypto";
import { type AgentResult, AgentResultSchema, SignalboxError, type Violation } from "@signalbox/contracts";
import {
  type Caller,
  type CurrentDispatch,
  type DispatchPlace,
  judgeReport,
  manifestOf,
  type Mark,
  type PipelineState,
  type Redactor,
  type ReportedWork,
  type ReportJudgement,
  type RoutingPolicy,
  type Snapshot,
} from "@signalbox/core";
import { refuseHalfPairs } from "../storable.ts";
import type { HeldPipeline } from "./draft.ts";
import { maskMessage } from "./mask-message.ts";

/** The most characters that a result's JSON may have. */
const LARGEST_RESULT = 1 << 20;

export type Report = {
  readonly by: Caller["actor"];
  readonly dispatchId: string;
  readonly place: DispatchPlace;
  readonly result: AgentResult;
  readonly violations: readonly Violation[];
  readonly schemaVersion: string;
};

/** A report as it may be decided on and stored. */
type MaskedReport = {
  readonly redactor: Redactor;
  readonly result: AgentResult;
  readonly marks: readonly Mark[];
  readonly text: string;
  readonly digest: Uint8Array;
};

/** What it comes to for the pipeline as it was when this was asked. */
export type Examined = MaskedReport & {
  readonly policy: RoutingPolicy;
  readonly state: PipelineState;
  readonly told: ReportedWork | undefined;
  readonly dispatch: CurrentDispatch | undefined;
  readonly judged: ReportJudgement | undefined;
};

export function maskReport(redactor: Redactor, report: AgentResult): MaskedReport {
  const { message: result, json, marks } = maskMessage(redactor, AgentResultSchema, report);
  const text = JSON.stringify(json);
  if (text.length > LARGEST_RESULT) throw tooLarge(text.length);
  refuseHalfPairs(text);
  return { redactor, result, marks, text, digest: hash("sha256", text, "buffer") };
}

export function examineReport(
  { state, task, traceId }: HeldPipeline,
  masked: MaskedReport,
  { snapshot, told }: { readonly snapshot: Snapshot; readonly told: ReportedWork | undefined },
  { by, dispatchId, place, violations, schemaVersion }: Report,
): Examined {
  const { redactor, result, marks, text, digest } = masked;
  const { policy } = snapshot;
  const plan = state.plan.stages[place.stageOrder];
  const stage = state.stages[place.stageOrder];
  const current = stage?.dispatch ?? undefined;
  const dispatch = current?.dispatchId === dispatchId && current.reportedAt === null ? current : undefined;
  const view = plan && stage && { index: place.stageOrder, plan, state: stage };
  const judged =
    view && dispatch
      ? judgeReport(
          {
            state,
            stage: view,
            dispatch,
            task,
            traceId,
            manifest: manifestOf(snapshot, dispatch),
            guardrails: policy.guardrails,
            reported: told,
            schemaVersion,
          },
          { by, result, masked: marks, dispatchId, violations },
        )
      : undefined;
  return { redactor, policy, result, marks, text, digest, state, told, dispatch, judged };
}

const tooLarge = (characters: number) =>
  new SignalboxError(
    "PAYLOAD_TOO_LARGE",
    `The result has ${characters} characters; at most ${LARGEST_RESULT} are taken. Refer to large artifacts instead of sending them.`,
  );
