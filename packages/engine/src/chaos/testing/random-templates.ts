import { parsePipelineTemplates } from "@signalbox/core";
import { template, templatesText } from "../../testing/documents.ts";
import type { Random } from "./seeded-random.ts";

const CONDITIONS = [
  undefined,
  'response.status == "failure"',
  'response.status == "success"',
  "response.data.score > 0.5",
  'result.outcome != "SUCCESS"',
] as const;

const idOf = (place: number): string => `s${place}`;

/** Templates that would be accepted: any order of stages, required or not, with edges and joins, budgets and strategies. */
export function randomTemplates(random: Random, count: number): { ids: readonly string[]; text: string } {
  const templates: object[] = [];
  const ids: string[] = [];
  while (ids.length < count) {
    const id = `random-${ids.length}`;
    const one = randomTemplate(random, id);
    // A stage that could never start is refused (SACP-28); what is refused is drawn again.
    if (parsePipelineTemplates(templatesText([one])).kind !== "valid") continue;
    templates.push(one);
    ids.push(id);
  }
  return { ids, text: templatesText(templates) };
}

function randomTemplate(random: Random, id: string): object {
  const size = random.between(1, 6);
  const stages = Array.from({ length: size }, (_, place) => ({
    id: idOf(place),
    taskType: "work",
    after: Array.from({ length: place }, (__, earlier) => idOf(earlier)).filter(() => random.chance(0.4)),
    extra: {
      required: random.chance(0.6),
      ...(random.chance(0.3) && place + 1 < size ? { edges: randomEdges(random, place, size) } : {}),
      ...(random.chance(0.2) ? { join: "ANY" } : {}),
      handoff_policy: {
        context_level: random.pick(["MINIMAL", "LAYERED", "RICH"]),
        retry: { max_attempts: random.between(1, 3), initial_backoff: "10ms", max_backoff: "20ms" },
      },
    },
  }));
  return template(id, stages, {
    max_total_retries: random.between(0, 4),
    max_rejections: random.between(0, 2),
    failure_strategy: random.pick(["FAIL_FAST", "SKIP_FAILED", "PAUSE"]),
    ...(random.chance(0.3) ? { pipeline_deadline: "2s" } : {}),
  });
}

function randomEdges(random: Random, place: number, size: number): object[] {
  return Array.from({ length: random.between(1, 2) }, () => {
    const condition = random.pick(CONDITIONS);
    return {
      target_stage_id: idOf(random.between(place + 1, size - 1)),
      ...(condition === undefined ? {} : { condition }),
    };
  });
}
