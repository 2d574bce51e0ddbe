import { readList } from "../connection/pages.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { momentText } from "../output/moment-text.ts";
import { type Column } from "../output/table.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";
import { documentVersion, type DocumentVersion } from "./answers.ts";
import { type DocumentKind, kinds } from "./kinds.ts";

export type ListOptions = CommonOptions & { readonly limit: number; readonly cursor?: string | undefined };

const tones = { active: "good", draft: "attention", retired: "quiet" } as const;
const columns: readonly Column<DocumentVersion>[] = [
  { title: "VERSION", value: ({ version }) => version, whole: true },
  { title: "STATUS", value: ({ status }) => status, tone: ({ status }) => tones[status], whole: true },
  { title: "EDIT", value: ({ edit }) => edit },
  { title: "CREATED", value: ({ createdAt }) => momentText(createdAt), late: true },
  { title: "PUBLISHED", value: ({ publishedAt }) => momentText(publishedAt), late: true },
  { title: "BY", value: ({ publishedBy, createdBy }) => publishedBy ?? createdBy },
  { title: "NOTE", value: ({ note }) => note },
];

export async function listVersions(world: World, kind: DocumentKind, options: ListOptions): Promise<void> {
  const { client, printer } = await visit(world, options);
  const { path, command } = kinds[kind];
  const page = await readList(client, { path, member: "versions", item: documentVersion }, options);
  if (printer.json) return printer.value({ versions: page.items, nextCursor: page.nextCursor ?? null });
  await printer.table(
    columns,
    page.items,
    `There is no version yet: \`signalbox ${command} push FILE --publish\` makes the first.`,
  );
  await tellMore(printer, page.nextCursor);
}
