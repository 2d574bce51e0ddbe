import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, notFound } from "@tanstack/react-router";
import { auditEntry } from "../../../audit/audit-queries.ts";
import { EntryFacts } from "../../../audit/entry-facts.tsx";
import { EntryJson } from "../../../audit/entry-json.tsx";
import { kindOf, titleOf } from "../../../audit/event-words.ts";
import { NoAudit } from "../../../audit/no-audit.tsx";
import { payloadOf } from "../../../audit/payload.ts";
import { ProofPanel } from "../../../audit/proof-panel.tsx";
import { SnapshotFacts } from "../../../audit/snapshot-facts.tsx";
import { paths } from "../../../paths.ts";
import { isNotFound, problemOf } from "../../../problem/problem.ts";
import { queryClient } from "../../../trpc.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Plate } from "../../../ui/plate.tsx";

export const Route = createFileRoute("/_panel/audit/$entryId")({
  loader: async ({ params }) => {
    try {
      await queryClient.ensureQueryData(auditEntry(params.entryId));
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      // The page says so itself, with the permission table, which here would be part of the shell.
      if (problemOf(error).code !== "FORBIDDEN") throw error;
    }
  },
  component: EntryPage,
  notFoundComponent: NoSuchEntry,
});

function EntryPage() {
  const { session } = Route.useRouteContext();
  const allowed = may(session, "audit.read", undefined);
  return allowed.allowed ? <Entry /> : <NoAudit reason={allowed.reason} />;
}

function Entry() {
  const { data: entry } = useSuspenseQuery(auditEntry(Route.useParams().entryId));
  const { snapshot, changes } = payloadOf(entry.payload);
  return (
    <Page title={`${titleOf(entry)} · Audit`} heading={titleOf(entry)} lead={<Plate>{kindOf(entry)}</Plate>}>
      <div className="grid gap-12">
        <Panel heading="The decision">
          <EntryFacts entry={entry} />
        </Panel>
        {snapshot !== undefined && (
          <Panel heading="What it was decided on">
            <SnapshotFacts snapshot={snapshot} />
          </Panel>
        )}
        <ProofPanel key={entry.auditId} auditId={entry.auditId} />
        <EntryJson entry={entry} changes={changes} />
      </div>
    </Page>
  );
}

function NoSuchEntry() {
  const { entryId } = Route.useParams();
  return (
    <Page title="No such entry">
      <Notice aspect="unlit" title="No entry on record has this id">
        <p className="font-mono">{entryId.slice(0, 100)}</p>
        <p>
          <Link {...paths.audit()} className="font-medium underline underline-offset-4">
            Search the record
          </Link>
        </p>
      </Notice>
    </Page>
  );
}
