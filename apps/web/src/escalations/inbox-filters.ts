import { searchWords } from "../search-text.ts";
import type { Cause } from "./words.ts";

type ShownStatus = "closed" | "all";
type ShownDue = "in-time" | "soon" | "late";

/** What of the inbox is shown, as its URL says it; what is usual is not said. */
export type InboxFilter = {
  status?: ShownStatus;
  /** A member's id, `me` or `nobody`. */
  assignee?: string;
  cause?: Cause;
  pack?: string;
  /** Words of the task's id or title. */
  q?: string;
  due?: ShownDue;
};

const isOneOf =
  <Name extends string>(...names: readonly Name[]) =>
  (value: unknown): value is Name =>
    names.some((name) => name === value);

const isStatus = isOneOf("closed", "all");
const isDue = isOneOf("in-time", "soon", "late");
const isCause = isOneOf<Cause>(
  "gate",
  "clarification",
  "stage-failed",
  "low-confidence",
  "dispatch-refused",
  "policy-blocked",
  "deadline",
);

/** A URL is written by people too: what it does not know is passed over. It is read in the shell, before the page is there. */
export function readFilter({ status, assignee, cause, pack, q, due }: Record<string, unknown>): InboxFilter {
  const [whose, whichPack, words] = [searchWords(assignee), searchWords(pack), searchWords(q)];
  return {
    ...(isStatus(status) && { status }),
    ...(whose !== undefined && { assignee: whose }),
    ...(isCause(cause) && { cause }),
    ...(whichPack !== undefined && { pack: whichPack }),
    ...(words !== undefined && { q: words }),
    ...(isDue(due) && { due }),
  };
}
