import { readList } from "../connection/pages.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { momentText } from "../output/moment-text.ts";
import type { Column } from "../output/table.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";
import { key, type Key } from "./answers.ts";

type Options = CommonOptions & { readonly limit: number; readonly cursor?: string | undefined };

const columns: readonly Column<Key>[] = [
  { title: "KEY", value: ({ keyId }) => keyId, whole: true },
  { title: "BEGINS", value: ({ prefix }) => `${prefix}…`, spare: true },
  { title: "LABEL", value: ({ label }) => label },
  { title: "ROLE", value: ({ role }) => role, late: true },
  { title: "PACKS", value: ({ packIds }) => packIds?.join(", ") },
  { title: "LAST USED", value: ({ lastUsedAt }) => momentText(lastUsedAt), late: true },
  {
    title: "ENDS",
    value: ({ revokedAt, expiresAt }) => (revokedAt === null ? momentText(expiresAt) : "revoked"),
    tone: ({ revokedAt }) => (revokedAt === null ? undefined : "quiet"),
  },
];

export async function listKeys(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const page = await readList(client, { path: "/v1/keys", member: "keys", item: key }, options);
  if (printer.json) return printer.value({ keys: page.items, nextCursor: page.nextCursor ?? null });
  await printer.table(columns, page.items, "There is no key.");
  await tellMore(printer, page.nextCursor);
}
