import type { AppRouter } from "@signalbox/api";
import type { inferRouterInputs } from "@trpc/server";
import type { InboxFilter } from "./inbox-filters.ts";

type ListInput = NonNullable<inferRouterInputs<AppRouter>["escalations"]["list"]>;

/** What waits longest stands first; what is over, the latest first. */
export function listInputOf(
  { status, assignee, cause, pack, q, due }: InboxFilter,
  ownId: string,
): ListInput {
  return {
    ...(status !== "all" && { open: status === undefined }),
    order: status === undefined ? "oldest" : "newest",
    ...(assignee !== undefined && { assignee: assignee === "me" ? ownId : assignee }),
    ...(cause !== undefined && { cause }),
    ...(pack !== undefined && { packId: pack }),
    ...(q !== undefined && { q }),
    ...(due !== undefined && status !== "closed" && { timeliness: due }),
  };
}

export const isNarrowed = ({ assignee, cause, pack, q, due }: InboxFilter): boolean =>
  [assignee, cause, pack, q, due].some((part) => part !== undefined);
