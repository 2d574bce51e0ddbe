import { Outcome, PipelineStatus, RiskTier, StageStatus } from "@signalbox/contracts";
import type { WaitReason } from "../../dispatch/reasons.ts";
import { decide } from "../decide.ts";
import type { Effect } from "../effect.ts";
import type { Resolution } from "../escalation.ts";
import type { EscalationResolved, PipelineEvent, ResultAccepted, StageDispatched } from "../event.ts";
import type { AuditFact, Decider } from "../fact.ts";
import type { Judgement } from "../judgement.ts";
import { stageNamed } from "../ledger.ts";
import type { Refusal } from "../refusal.ts";
import type { CurrentDispatch, PipelineState, StageState } from "../state.ts";
import {
  approver,
  reporter,
  created,
  definitionOf,
  resultOf,
  verdicts,
  type PolicyOptions,
  type ResultInit,
} from "./definitions.ts";
import type { PipelineDefinition } from "../build-plan.ts";

type Report = {
  readonly outcome?: Outcome;
  readonly judgement?: Judgement | null;
  readonly init?: ResultInit;
  readonly fence?: Pick<CurrentDispatch, "dispatchId" | "attemptNumber">;
};

/** A pipeline that a test takes from event to event; it keeps everything that was decided on the way. */
export class Run {
  state: PipelineState;
  now = 0;
  readonly effects: Effect[] = [];
  latest: readonly Effect[] = [];
  #dispatches = 0;

  constructor(stages: PipelineDefinition["stages"], policy: PolicyOptions = {}) {
    const creation = created(definitionOf(stages, policy));
    this.state = creation.state;
    this.#keep(creation.effects);
  }

  #keep(effects: readonly Effect[]): void {
    this.latest = effects;
    this.effects.push(...effects);
  }

  apply(event: PipelineEvent): this {
    const decision = decide(this.state, event, this.now);
    if (decision.kind === "refused") throw new Error(JSON.stringify(decision.refusal));
    this.state = decision.state;
    this.#keep(decision.effects);
    return this;
  }

  refusal(event: PipelineEvent): Refusal {
    const decision = decide(this.state, event, this.now);
    if (decision.kind === "decided") throw new Error(`${event.kind} was decided`);
    return decision.refusal;
  }

  stage(stageId: string): StageState {
    const found = stageNamed(this.state, stageId);
    if (found === undefined) throw new Error(`no stage ${stageId}`);
    return found.state;
  }

  dispatchOf(stageId: string): CurrentDispatch {
    const { dispatch } = this.stage(stageId);
    if (dispatch === null) throw new Error(`no dispatch of ${stageId}`);
    return dispatch;
  }

  fence(stageId: string) {
    const { dispatchId, attemptNumber } = this.dispatchOf(stageId);
    return { stageId, dispatchId, attemptNumber };
  }

  sendEvent(stageId: string, dueAt: number | null = null): StageDispatched {
    return {
      kind: "stage-dispatched",
      stageId,
      attemptNumber: this.stage(stageId).attemptNumber,
      dispatchId: `d${++this.#dispatches}`,
      packId: "pack",
      packVersion: "1.0.0",
      instanceId: "pack-1",
      riskTier: RiskTier.LOW,
      dueAt,
      decision: { selectedPackId: "pack", candidatePackIds: ["pack"] },
      rationale: "the only one",
    };
  }

  send(...stageIds: string[]): this {
    for (const stageId of stageIds) this.apply(this.sendEvent(stageId));
    return this;
  }

  reportEvent(stageId: string, report: Report = {}): ResultAccepted {
    return {
      kind: "result-accepted",
      by: reporter,
      ...(report.fence === undefined ? this.fence(stageId) : { stageId, ...report.fence }),
      result: resultOf(report.outcome ?? Outcome.SUCCESS, report.init),
      schemaVersionExpected: "1.0.0",
      judgement: report.judgement === undefined ? verdicts.advance : report.judgement,
    };
  }

  report(stageId: string, report: Report = {}): this {
    return this.apply(this.reportEvent(stageId, report));
  }

  /** Sends the stages and lets each succeed. */
  finish(...stageIds: string[]): this {
    for (const stageId of stageIds) this.send(stageId).report(stageId);
    return this;
  }

  fail(stageId: string, outcome: Outcome = Outcome.NON_RETRYABLE_FAILURE): this {
    return this.send(stageId).report(stageId, { outcome, judgement: null });
  }

  deferEvent(stageId: string, until: number, reason: WaitReason = "busy"): PipelineEvent {
    const { attemptNumber } = this.stage(stageId);
    return { kind: "dispatch-deferred", stageId, attemptNumber, reason, until, decision: {} };
  }

  lostEvent(stageId: string): PipelineEvent {
    return { kind: "transport-failed", ...this.fence(stageId), detail: "connection refused" };
  }

  refuseDispatch(stageId: string, quarantined: { packId: string; instanceId: string } | null = null): this {
    return this.apply({
      kind: "dispatch-refused",
      stageId,
      attemptNumber: this.stage(stageId).attemptNumber,
      reason: "no-route",
      problem: `No route for the task type of ${stageId}`,
      decision: {},
      quarantined,
    });
  }

  /** The question that a stage, or with no stage the pipeline, waits for. */
  question(stageId: string | null = null) {
    const found = this.state.escalations.find((open) => open.stageId === stageId);
    if (found === undefined) throw new Error(`no question about ${stageId ?? "the pipeline"}`);
    return found;
  }

  resolveEvent(stageId: string | null, resolution: Resolution, by: Decider = approver): EscalationResolved {
    const { escalationId } = this.question(stageId);
    return { kind: "escalation-resolved", escalationId, resolution, by, comment: "because" };
  }

  resolve(stageId: string | null, resolution: Resolution, by: Decider = approver): this {
    return this.apply(this.resolveEvent(stageId, resolution, by));
  }

  pause(): this {
    return this.apply({ kind: "pause", by: approver, note: "" });
  }

  resume(): this {
    return this.apply({ kind: "resume", by: approver, note: "" });
  }

  rewind(stageId: string, instructions = "again"): this {
    return this.apply({ kind: "rewind", stageId, instructions, by: approver });
  }

  get status(): string {
    return nameOf(PipelineStatus, this.state.status);
  }

  /** Stage by stage, such as `{ a: "COMPLETED", b: "READY" }`. */
  get stages(): Record<string, string> {
    return Object.fromEntries(
      this.state.plan.stages.map(({ stageId }) => [stageId, nameOf(StageStatus, this.stage(stageId).status)]),
    );
  }

  get facts(): AuditFact[] {
    return this.effects.flatMap((effect) => (effect.kind === "audit" ? effect.fact : []));
  }

  get latestActions(): string[] {
    return this.latest.flatMap((effect) => (effect.kind === "audit" ? effect.fact.action : []));
  }

  cancelled(): string[] {
    return this.latest.flatMap((effect) =>
      effect.kind === "cancel-dispatch" ? effect.dispatch.dispatchId : [],
    );
  }

  woken(): string[] {
    return this.latest.flatMap((effect) => (effect.kind === "stage-ready" ? effect.stageId : []));
  }
}

const nameOf = (names: Readonly<Record<string, number>>, value: number): string =>
  Object.entries(names).find(([, one]) => one === value)?.[0] ?? String(value);
