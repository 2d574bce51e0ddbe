import { readList } from "../connection/pages.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { momentText, statusText } from "../output/moment-text.ts";
import type { Column } from "../output/table.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";
import { pipelineSummary, type PipelineSummary } from "./answers.ts";
import { statusName, toneOfStatus } from "./status.ts";

type Options = CommonOptions & {
  readonly status?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const columns: readonly Column<PipelineSummary>[] = [
  { title: "PIPELINE", value: ({ pipelineId }) => pipelineId, whole: true },
  {
    title: "STATUS",
    value: ({ status }) => statusText(status),
    tone: ({ status }) => toneOfStatus(status),
    whole: true,
  },
  { title: "TASK", value: ({ sourceTaskId }) => sourceTaskId },
  { title: "TITLE", value: ({ taskTitle }) => taskTitle },
  { title: "NAME", value: ({ pipelineName }) => pipelineName, spare: true },
  { title: "CREATED", value: ({ createdAt }) => momentText(createdAt), late: true },
  { title: "ENDED", value: ({ endedAt }) => momentText(endedAt), late: true },
];

export async function listPipelines(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const query = { status: options.status === undefined ? undefined : statusName(options.status) };
  const listed = { path: "/v1/pipelines", member: "pipelines", item: pipelineSummary, query };
  const page = await readList(client, listed, options);
  if (printer.json) return printer.value({ pipelines: page.items, nextCursor: page.nextCursor ?? null });
  const none =
    options.status === undefined ? "There is no pipeline yet." : `No pipeline is ${options.status}.`;
  await printer.table(columns, page.items, none);
  await tellMore(printer, page.nextCursor);
}
