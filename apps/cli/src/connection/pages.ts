import { z } from "zod";
import type { Client } from "./client.ts";

export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | undefined };

type Filters = Readonly<Record<string, string | number | undefined>>;
type Listed<Item extends z.ZodType> = {
  readonly path: string;
  /** The member that holds the items. */
  readonly member: string;
  readonly item: Item;
  readonly query?: Filters;
};

const LARGEST_PAGE = 100;

const pageShape = <Item extends z.ZodType>(member: string, item: Item) =>
  z
    .looseObject({ nextCursor: z.string().nullish() })
    .and(z.record(z.string(), z.unknown()))
    .transform((page, context): { items: z.output<Item>[]; nextCursor: string | undefined } => {
      const items = z.array(item).safeParse(page[member]);
      if (!items.success) {
        context.addIssue({ code: "custom", message: "is no list", path: [member] });
        return z.NEVER;
      }
      return { items: items.data, nextCursor: page.nextCursor ?? undefined };
    });

/** So many of a list, from a cursor on; more than a page holds are asked for page by page. */
export async function readList<Item extends z.ZodType>(
  client: Client,
  { path, member, item, query = {} }: Listed<Item>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<z.output<Item>>> {
  const shape = pageShape(member, item);
  const items: z.output<Item>[] = [];
  let next = cursor;
  do {
    const page = await client.read(shape, "GET", path, {
      query: { ...query, limit: Math.min(LARGEST_PAGE, limit - items.length), cursor: next },
    });
    items.push(...page.items);
    next = page.nextCursor;
  } while (next !== undefined && items.length < limit);
  return { items, nextCursor: next };
}
