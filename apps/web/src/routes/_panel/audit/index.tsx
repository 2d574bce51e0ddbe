import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type AuditFilter, filterOf, isNarrowed } from "../../../audit/audit-filter.ts";
import { AuditFilters, type FilterFaults } from "../../../audit/audit-filters.tsx";
import { AuditList } from "../../../audit/audit-list.tsx";
import { newestEntries, newestKey } from "../../../audit/audit-queries.ts";
import { ExportButton } from "../../../audit/export-dialog.tsx";
import { NoAudit } from "../../../audit/no-audit.tsx";
import { useFresh } from "../../../live/use-fresh.ts";
import { paths } from "../../../paths.ts";
import { ProblemNotice } from "../../../problem/problem-notice.tsx";
import { type Problem, problemOf } from "../../../problem/problem.ts";
import { queryClient } from "../../../trpc.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";

const lead =
  "Every decision: what was done, by whom, and why. Nobody can change an entry; months go whole, and only as Settings, Retention says.";

export const Route = createFileRoute("/_panel/audit/")({
  validateSearch: (search): AuditFilter => filterOf(search),
  loaderDeps: ({ search }) => search,
  /**
   * What somebody typed is mended where they typed it, and not on a page of its own; who may not read the record is told so
   * by the page, which has the permission table: here it would be part of the shell.
   */
  loader: async ({ deps }): Promise<{ refused: Problem | undefined }> => {
    try {
      await queryClient.ensureQueryData(newestEntries(deps));
      return { refused: undefined };
    } catch (error) {
      const refused = problemOf(error);
      if (refused.code !== "VALIDATION_FAILED" && refused.code !== "FORBIDDEN") throw error;
      return { refused };
    }
  },
  component: Audit,
});

function Audit() {
  const { session } = Route.useRouteContext();
  const filter = Route.useSearch();
  const { refused } = Route.useLoaderData();
  const allowed = may(session, "audit.read", undefined);
  if (!allowed.allowed) return <NoAudit reason={allowed.reason} />;
  const key = JSON.stringify(filter);
  const faults = faultsOf(filter, refused);
  const isToldThere =
    Object.keys(faults).length > 0 && refused?.violations.every(({ field }) => field in faults) === true;
  return (
    <Page
      wide
      title="Audit"
      lead={lead}
      {...(refused === undefined && { actions: <ExportButton filter={filter} /> })}
    >
      <div className="grid gap-8">
        <AuditFilters key={`filters ${key}`} filter={filter} faults={faults} />
        {refused === undefined && <Found key={`found ${key}`} filter={filter} />}
        {isToldThere && (faults.eventType === undefined ? <NoStretch /> : <NoSuchType filter={filter} />)}
        {refused !== undefined && !isToldThere && (
          <div role="alert">
            <ProblemNotice problem={refused} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** What of the refusal is told beside what was filled in. */
function faultsOf(filter: AuditFilter, refused: Problem | undefined): FilterFaults {
  const isRefused = (name: string) => refused?.violations.some(({ field }) => field === name) === true;
  return {
    ...(isRefused("eventType") && { eventType: `${filter.eventType} is no type of entry.` }),
    ...(isRefused("to") && { to: "It has to be later than From." }),
  };
}

const NoStretch = () => (
  <Notice aspect="unlit" title="Nothing was looked for">
    <p>The stretch of time ends before it begins.</p>
  </Notice>
);

/** The types that there are stand in the filter: the server's list of them would be the whole page. */
function NoSuchType({ filter: { eventType, ...others } }: { filter: AuditFilter }) {
  return (
    <Notice aspect="unlit" title="Nothing was looked for">
      <p>
        The address asks for entries of the type <code className="font-mono text-xs">{eventType}</code>, which
        there is not. Choose another above, or leave it out.
      </p>
      <Link {...paths.audit(others)} className="font-medium underline underline-offset-4">
        Search without the type
      </Link>
    </Notice>
  );
}

function Found({ filter }: { filter: AuditFilter }) {
  const { data } = useSuspenseQuery(newestEntries(filter));
  useFresh("tenant", () => [newestKey(filter)]);
  if (data.entries.length > 0) return <AuditList filter={filter} />;
  return (
    <Notice
      aspect="unlit"
      title={isNarrowed(filter) ? "Nothing on record fits all of that" : "Nothing is on record yet"}
    >
      {filter.q !== undefined && filter.pipelineId === undefined && (
        <p>
          Of what every stage leaves that goes well (dispatches, results, gates passed) words are found within
          one pipeline: name it, too.
        </p>
      )}
    </Notice>
  );
}
