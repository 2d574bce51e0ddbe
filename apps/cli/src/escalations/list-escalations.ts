import { readList } from "../connection/pages.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { momentText } from "../output/moment-text.ts";
import type { Column } from "../output/table.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";
import { escalation, type Escalation } from "./answers.ts";

type Options = CommonOptions & {
  readonly all?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const columns: readonly Column<Escalation>[] = [
  { title: "ESCALATION", value: ({ escalationId }) => escalationId, whole: true },
  {
    title: "STATE",
    value: ({ end }) => (end === null ? "open" : (end.option ?? end.kind)),
    tone: ({ end }) => (end === null ? "attention" : "quiet"),
  },
  {
    title: "TASK",
    value: ({ sourceTaskId, taskTitle }) => [sourceTaskId, taskTitle].filter(Boolean).join(" "),
  },
  { title: "STAGE", value: ({ stageId }) => stageId },
  { title: "OPENED", value: ({ openedAt }) => momentText(openedAt), late: true },
  { title: "PROBLEM", value: ({ problem }) => problem },
  { title: "OPTIONS", value: ({ options }) => options.join(", "), spare: true },
];

export async function listEscalations(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const query = options.all === true ? {} : { open: "true" };
  const listed = { path: "/v1/escalations", member: "escalations", item: escalation, query };
  const page = await readList(client, listed, options);
  if (printer.json) return printer.value({ escalations: page.items, nextCursor: page.nextCursor ?? null });
  const none = options.all === true ? "Nobody was asked anything yet." : "No question is open.";
  await printer.table(columns, page.items, none);
  await tellMore(printer, page.nextCursor);
}
