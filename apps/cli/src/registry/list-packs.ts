import { z } from "zod";
import { readList } from "../connection/pages.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { momentText, statusText } from "../output/moment-text.ts";
import type { Column } from "../output/table.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";

type Options = CommonOptions & {
  readonly query?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const pack = z.looseObject({
  packId: z.string(),
  packVersion: z.string(),
  safetyTier: z.string(),
  supportedTaskTypes: z.array(z.string()),
  registeredAt: z.string(),
  registeredBy: z.string(),
});

const columns: readonly Column<z.infer<typeof pack>>[] = [
  { title: "PACK", value: ({ packId }) => packId, whole: true },
  { title: "VERSION", value: ({ packVersion }) => packVersion, whole: true },
  { title: "SAFETY TIER", value: ({ safetyTier }) => statusText(safetyTier) },
  { title: "TASK TYPES", value: ({ supportedTaskTypes }) => supportedTaskTypes.join(", ") },
  { title: "REGISTERED", value: ({ registeredAt }) => momentText(registeredAt), late: true, spare: true },
  { title: "BY", value: ({ registeredBy }) => registeredBy },
];

export async function listPacks(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const listed = { path: "/v1/packs", member: "packs", item: pack, query: { query: options.query } };
  const page = await readList(client, listed, options);
  if (printer.json) return printer.value({ packs: page.items, nextCursor: page.nextCursor ?? null });
  const none = options.query === undefined ? "No pack is registered yet." : "No pack fits.";
  await printer.table(columns, page.items, none);
  await tellMore(printer, page.nextCursor);
}
