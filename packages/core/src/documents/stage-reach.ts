import { Outcome } from "@signalbox/contracts";
import { type Condition, compileCondition, factsOf } from "../sacp/condition.ts";
import type { FlowStage } from "./edge-checks.ts";

/** What an edge does at one end of its stage: taken, not taken, or one or the other as the answer's data will say. */
type Way = boolean | "either";
type Edge = { readonly target: string; readonly atSuccess: Way; readonly atFailure: Way };

/** The ways that are open are tried out; beyond this many combinations nothing is said, for nothing is known. */
const MOST_TRIED = 4_096;

/** Indexes of stages that do not start in any combination of ends. `order` has every stage behind those before it. */
export function neverStarting(stages: readonly FlowStage[], order: readonly number[]): number[] {
  const edges = stages.map((stage) => stage.edges.flatMap(edgeOf));
  const choices = edges.flatMap((own, index) =>
    own.some(({ atSuccess, atFailure }) => atSuccess !== true || atFailure !== false)
      ? endsOf(own, index)
      : [],
  );
  const combinations = choices.reduce((product, { ends }) => product * ends.length, 1);
  if (choices.length === 0 || combinations > MOST_TRIED) return [];
  const started = new Set<number>();
  for (let combination = 0; combination < combinations; combination += 1) {
    for (const index of startedIn(stages, order, chosen(choices, combination))) started.add(index);
  }
  return stages.map((_, index) => index).filter((index) => !started.has(index));
}

function edgeOf({ target, condition = "" }: FlowStage["edges"][number]): Edge[] {
  if (target === undefined) return [];
  if (condition === "") return [{ target, atSuccess: true, atFailure: false }];
  const found = compileCondition(condition);
  if (found.kind === "faulty") return [{ target, atSuccess: "either", atFailure: "either" }];
  return [
    {
      target,
      atSuccess: wayAt(found.condition, "success", Outcome.SUCCESS),
      atFailure: found.condition.tellsEnds
        ? wayAt(found.condition, "failure", Outcome.NON_RETRYABLE_FAILURE)
        : false,
    },
  ];
}

/** Only a condition over nothing but the status is known before there is an answer; an outcome has more than two ends. */
function wayAt({ expression }: Condition, status: string, outcome: Outcome): Way {
  if ([...expression.reads].some((field) => field !== "response.status")) return "either";
  const answer = { status, data: {}, message: "", nextStepHint: "" };
  const value = expression.evaluate(factsOf(answer, outcome));
  const other =
    status === "success" ? expression.evaluate(factsOf({ ...answer, status: "completed" }, outcome)) : value;
  if (value.kind === "none" || other.kind === "none" || value.value !== other.value) return "either";
  return value.value === true;
}

/** One way in which a stage may end: the stages that it leads to by an edge, and whether it succeeded. */
type End = { readonly succeeded: boolean; readonly taken: ReadonlySet<string> };
type Choice = { readonly index: number; readonly ends: readonly End[] };

function endsOf(edges: readonly Edge[], index: number): Choice[] {
  const ends = [true, false].flatMap((succeeded) => {
    let sets: string[][] = [[]];
    for (const { target, atSuccess, atFailure } of edges) {
      const way = succeeded ? atSuccess : atFailure;
      if (way === "either" && sets.length <= MOST_TRIED)
        sets = sets.flatMap((set) => [set, [...set, target]]);
      else if (way !== false) sets = sets.map((set) => [...set, target]);
    }
    return sets.map((set): End => ({ succeeded, taken: new Set(set) }));
  });
  return [{ index, ends }];
}

function chosen(choices: readonly Choice[], combination: number): ReadonlyMap<number, End> {
  let rest = combination;
  return new Map(
    choices.flatMap(({ index, ends }) => {
      const end = ends[rest % ends.length];
      rest = Math.floor(rest / ends.length);
      return end === undefined ? [] : [[index, end] as const];
    }),
  );
}

function startedIn(
  stages: readonly FlowStage[],
  order: readonly number[],
  ends: ReadonlyMap<number, End>,
): ReadonlySet<number> {
  const started = new Set<number>();
  for (const index of order) {
    const stage = stages[index];
    if (stage === undefined) continue;
    const ways = waysTo(stage, stages).map(({ source, byEdge }) => {
      if (!started.has(source)) return false;
      const end = ends.get(source);
      if (byEdge) return end === undefined || end.taken.has(stage.stageId);
      return end?.succeeded ?? true;
    });
    if (ways.every(Boolean) || (stage.joinsAny && ways.includes(true))) started.add(index);
  }
  return started;
}

function waysTo(
  { stageId, dependsOn }: FlowStage,
  stages: readonly FlowStage[],
): { source: number; byEdge: boolean }[] {
  return stages.flatMap((other, source) => {
    const byEdge = other.edges.some(({ target }) => target === stageId);
    return byEdge || dependsOn.includes(other.stageId) ? [{ source, byEdge }] : [];
  });
}
