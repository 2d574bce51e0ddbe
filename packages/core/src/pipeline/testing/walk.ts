import type { PipelineDefinition } from "../build-plan.ts";
import { decide, type PipelineDecision } from "../decide.ts";
import type { Effect } from "../effect.ts";
import type { PipelineEvent } from "../event.ts";
import type { AuditFact } from "../fact.ts";
import type { PipelineState } from "../state.ts";
import { created } from "./definitions.ts";
import { eventFor, type Step } from "./model.ts";

export type Walk = { readonly facts: readonly AuditFact[]; readonly state: PipelineState };

/** One event of a walk: what it met, what it was, and what came of it. */
export type Moment = {
  readonly before: PipelineState;
  readonly event: PipelineEvent;
  readonly now: number;
  readonly decision: PipelineDecision;
};

const factsOf = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "audit" ? effect.fact : []));

/** Takes a pipeline through the steps, and shows every moment to whoever wants to look. */
export function walk(
  definition: PipelineDefinition,
  steps: readonly Step[],
  look: (moment: Moment) => void = () => {},
): Walk {
  const creation = created(definition);
  let { state } = creation;
  let now = 0;
  const facts = factsOf(creation.effects);
  for (const [serial, step] of steps.entries()) {
    now += step.wait;
    const before = deepFrozen(state);
    const event = deepFrozen(eventFor(state, step, now, serial));
    const decision = decide(before, event, now);
    look({ before, event, now, decision });
    facts.push(...(decision.kind === "refused" ? decision.record : factsOf(decision.effects)));
    if (decision.kind === "decided") ({ state } = decision);
  }
  return { facts, state };
}

/** Writing to it throws, since modules are strict; so a walk shows that nothing passed in is changed. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFrozen(inner);
  return value;
}
