import { z } from "zod";
import { readList } from "../connection/pages.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { momentText, statusText } from "../output/moment-text.ts";
import type { Tone } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";

type Options = CommonOptions & {
  readonly pack?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const standing = z.looseObject({ since: z.string(), reason: z.string() });
const instance = z.looseObject({
  packId: z.string(),
  instanceId: z.string(),
  packVersion: z.string().nullable(),
  presence: z.string(),
  healthStatus: z.string(),
  openDispatches: z.number(),
  maxTasks: z.number().nullable(),
  heardAt: z.string(),
  quarantine: standing.nullable(),
  probation: standing.nullish(),
  draining: standing.nullish(),
});
type Instance = z.infer<typeof instance>;

const tones: Readonly<Record<string, Tone>> = {
  healthy: "good",
  degraded: "attention",
  unhealthy: "bad",
  quarantined: "bad",
};

const columns: readonly Column<Instance>[] = [
  { title: "PACK", value: ({ packId }) => packId, whole: true },
  { title: "INSTANCE", value: ({ instanceId }) => instanceId, whole: true },
  { title: "PRESENCE", value: ({ presence }) => presence },
  {
    title: "HEALTH",
    value: ({ healthStatus }) => statusText(healthStatus),
    tone: ({ healthStatus }) => tones[statusText(healthStatus)],
  },
  { title: "TASKS", value: ({ openDispatches, maxTasks }) => `${openDispatches}/${maxTasks ?? "-"}` },
  { title: "HEARD", value: ({ heardAt }) => momentText(heardAt), late: true },
  { title: "WHY", value: whyOf },
];

/** Why it is given no work, or works on probation; a server from before there were such things says nothing of two. */
function whyOf({ quarantine, probation, draining }: Instance): string {
  const why = [
    quarantine && `quarantined: ${quarantine.reason}`,
    probation && `on probation: ${probation.reason}`,
    draining && `asked to drain: ${draining.reason}`,
  ];
  return why.filter(Boolean).join("; ");
}

export async function listInstances(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const query = { packId: options.pack };
  const page = await readList(
    client,
    { path: "/v1/instances", member: "instances", item: instance, query },
    options,
  );
  if (printer.json) return printer.value({ instances: page.items, nextCursor: page.nextCursor ?? null });
  await printer.table(
    columns,
    page.items,
    "No instance was heard of yet; each says that it is there by a heartbeat.",
  );
  await tellMore(printer, page.nextCursor);
}
