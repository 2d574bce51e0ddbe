import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";

export function NoAudit({ reason }: { reason: string }) {
  return (
    <Page title="Audit">
      <Notice aspect="unlit" title="The record is not shown to you">
        <p>Not allowed: {reason}.</p>
      </Notice>
    </Page>
  );
}
