import { paths } from "../paths.ts";
import { taskInWords } from "../pipelines/task-name.ts";
import { stations } from "../shell/line-map.tsx";

type Link =
  | (typeof stations)[number]["link"]
  | ReturnType<
      (typeof paths)[
        | "packs"
        | "escalation"
        | "pipeline"
        | "audit"
        | "auditEntry"
        | "activity"
        | "members"
        | "keys"
        | "redaction"
        | "retention"
        | "gates"]
    >;

/** Where the palette leads: a page, or what a typed id names. */
export type Destination = {
  readonly id: string;
  readonly name: string;
  /** What it is, where the name alone does not say it. */
  readonly kind: string;
  readonly link: Link;
};

const settings = [
  { name: "Members", link: paths.members },
  { name: "Keys", link: paths.keys },
  { name: "Redaction", link: paths.redaction },
  { name: "Retention", link: paths.retention },
  { name: "Gates", link: paths.gates },
] as const;

const pages: readonly Destination[] = [
  ...stations.map(({ name, link }) => ({ id: `page ${name}`, name, kind: "Page", link })),
  { id: "page Metrics", name: "Metrics", kind: "Page", link: paths.activity() },
  ...settings.map(({ name, link }) => ({ id: `settings ${name}`, name, kind: "Settings", link: link() })),
];

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const pipelineShape = new RegExp(`^${uuid}$`);
const escalationShape = new RegExp(`^${uuid}-e\\d+$`);
const ofPipelineShape = new RegExp(`^(${uuid})-(?:e\\d+|d\\d+\\.\\d+)$`);

/**
 * What fits what was typed, the best first: pages whose name begins with it, then pages that have it anywhere, then what an
 * id may name, then tasks, then packs, then the record.
 */
export function destinationsFor(
  typed: string,
  packIds: readonly string[],
  tasks: readonly Parameters<typeof taskInWords>[0][] = [],
): readonly Destination[] {
  const wanted = typed.trim();
  if (wanted === "") return pages;
  const folded = wanted.toLowerCase();
  const fitting = pages
    .filter(({ name, kind }) => `${kind} ${name}`.toLowerCase().includes(folded))
    .toSorted((one, other) => rank(one, folded) - rank(other, folded));
  return [
    ...fitting,
    ...namedBy(folded),
    ...tasks.map((task) => ({
      id: `task ${task.pipelineId}`,
      name: taskInWords(task),
      kind: "Task",
      link: paths.pipeline(task.pipelineId),
    })),
    ...packIds.map((packId) => ({
      id: `pack ${packId}`,
      name: packId,
      kind: "Pack",
      link: paths.packs({ q: packId }),
    })),
    {
      id: "record words",
      name: `“${wanted}” on record`,
      kind: "Audit",
      link: paths.audit({ q: wanted.slice(0, 200) }),
    },
  ];
}

const rank = ({ name }: Destination, folded: string): number =>
  name.toLowerCase().startsWith(folded) ? 0 : 1;

/** An id is one of several things, and says by its form alone of which it may be. */
function namedBy(id: string): Destination[] {
  const pipelineId = pipelineShape.test(id) ? id : ofPipelineShape.exec(id)?.[1];
  if (pipelineId === undefined) return [];
  return [
    ...(escalationShape.test(id)
      ? [{ id: "escalation", name: id, kind: "Escalation", link: paths.escalation(id) }]
      : []),
    {
      id: "record pipeline",
      name: `${pipelineId} on record`,
      kind: "Pipeline",
      link: paths.audit({ pipelineId }),
    },
    ...(pipelineShape.test(id)
      ? [
          { id: "entry", name: id, kind: "Audit entry", link: paths.auditEntry(id) },
          { id: "record trace", name: `${id} on record`, kind: "Trace", link: paths.audit({ traceId: id }) },
        ]
      : []),
  ];
}
