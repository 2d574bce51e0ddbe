import { usePeople } from "../escalations/people.ts";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";

/** A refusal without a way on is a wall: who gives roles can be asked. */
export function NoAudit({ reason }: { reason: string }) {
  const { admins } = usePeople();
  return (
    <Page title="Audit">
      <Notice aspect="unlit" title="The record is not shown to you">
        <p>Not allowed: {reason}.</p>
        <p>
          An administrator gives the role{admins.length > 0 && `: ask ${admins.slice(0, 3).join(" or ")}`}.
        </p>
      </Notice>
    </Page>
  );
}
