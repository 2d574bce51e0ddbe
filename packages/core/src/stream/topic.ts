import { type Caller } from "../caller.ts";
import { type Action, type Decision, may, type Subjects } from "../permissions.ts";

/** STREAM-1: a part of a tenant's feed. */
export type Topic =
  | { readonly kind: "tenant" | "escalations" | "registry" | "alerts" }
  | { readonly kind: "pipeline"; readonly pipelineId: string };

const pipelineTopic = /^pipeline:(?<pipelineId>[\w-]{1,64})$/;

export const topicNames = "tenant, pipeline:<id>, escalations, registry or alerts";

export function readTopic(text: string): Topic | undefined {
  const pipelineId = pipelineTopic.exec(text)?.groups?.["pipelineId"];
  if (pipelineId !== undefined) return { kind: "pipeline", pipelineId };
  return text === "tenant" || text === "escalations" || text === "registry" || text === "alerts"
    ? { kind: text }
    : undefined;
}

export const topicText = (topic: Topic): string =>
  topic.kind === "pipeline" ? `pipeline:${topic.pipelineId}` : topic.kind;

type WideTopic = Exclude<Topic["kind"], "pipeline">;

/** STREAM-3: which topics carry a family of events besides its pipeline's own; one that is not here, none (STREAM-4). */
const carriers: ReadonlyMap<string, readonly WideTopic[]> = new Map([
  ["pipeline", ["tenant"]],
  ["escalation", ["tenant", "escalations"]],
  ["pack", ["tenant", "registry"]],
  ["instance", ["tenant", "registry"]],
  ["document", ["tenant"]],
  ["alert", ["tenant", "alerts"]],
  ["learning", ["tenant"]],
  ["retention", ["tenant"]],
  ["member", ["tenant"]],
  ["key", ["tenant"]],
]);

/** STREAM-2: `turn` of `turn.reported`. */
export const familyOf = (kind: string): string => kind.slice(0, Math.max(0, kind.indexOf(".")));

/** The topics that carry an event. */
export function topicsOf({ kind, pipelineId }: { kind: string; pipelineId: string | null }): string[] {
  const wide: readonly string[] = carriers.get(familyOf(kind)) ?? [];
  return pipelineId === null ? [...wide] : [...wide, topicText({ kind: "pipeline", pipelineId })];
}

/** The families of a topic that is no pipeline's; a pipeline's topic carries them all. */
export const familiesOf = (topic: WideTopic): string[] =>
  [...carriers].flatMap(([family, topics]) => (topics.includes(topic) ? family : []));

type Reading = { [A in Action]: Subjects[A] extends undefined ? A : never }[Action];

const readings: Readonly<Record<Topic["kind"], readonly Reading[]>> = {
  pipeline: ["pipeline.read"],
  escalations: ["escalation.read"],
  registry: ["pack.read", "instance.read"],
  alerts: ["alert.read"],
  tenant: [
    "pipeline.read",
    "escalation.read",
    "pack.read",
    "instance.read",
    "policy.read",
    "template.read",
    "alert.read",
    "learning.read",
    "member.read",
  ],
};

export const topicKinds = Object.keys(readings);

/** STREAM-5: asks the one table (D15) for each thing that the topic tells of. */
export function mayListen(caller: Caller, { kind }: Topic): Decision {
  for (const action of readings[kind]) {
    const decision = may(caller, action, undefined);
    if (!decision.allowed) return decision;
  }
  return { allowed: true };
}
