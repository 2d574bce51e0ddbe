import { useSuspenseInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LongText } from "../attempts/marked.tsx";
import { paths } from "../paths.ts";
import { ShowMore } from "../settings/show-more.tsx";
import { Notice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { Plate } from "../ui/plate.tsx";
import { playbooks, proposalPages } from "./learning-queries.ts";
import { ProposalList } from "./proposal-list.tsx";

/** What waits for a person, what is told to whoever works, and what became of earlier proposals. */
export function ProposalsView() {
  const open = useSuspenseInfiniteQuery(proposalPages(true));
  const decided = useSuspenseInfiniteQuery(proposalPages(false));
  const waiting = open.data.pages.flatMap(({ proposals }) => proposals);
  const earlier = decided.data.pages.flatMap(({ proposals }) => proposals);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      <Panel heading="To decide">
        {waiting.length === 0 ? (
          <Notice aspect="clear" title="Nothing is proposed">
            <p>
              What results and people’s ratings suggest is put here within seconds, as a change of the routing
              policy. Nothing of it acts until somebody accepts it.
            </p>
          </Notice>
        ) : (
          <>
            <ProposalList name="To decide" proposals={waiting} />
            <ShowMore count={waiting.length} pages={open} />
          </>
        )}
      </Panel>
      <Panel heading="Playbooks in force">
        <Playbooks />
      </Panel>
      <Panel heading="Decided">
        {earlier.length === 0 ? (
          <p className="text-sm text-ink-soft">Nothing was decided yet.</p>
        ) : (
          <>
            <ProposalList name="Decided" proposals={earlier} />
            <ShowMore count={earlier.length} pages={decided} />
          </>
        )}
      </Panel>
    </div>
  );
}

function Playbooks() {
  const { data } = useSuspenseQuery(playbooks());
  if (data.policyVersion === null)
    return <p className="text-sm text-ink-soft">No routing policy is in force.</p>;
  if (data.playbooks.length === 0)
    return (
      <p className="text-sm text-ink-soft">
        <Link {...paths.policy(data.policyVersion)} className="underline underline-offset-4">
          Routing policy {data.policyVersion}
        </Link>{" "}
        holds none.
      </p>
    );
  return (
    <ul aria-label="Playbooks in force" className="board divide-y divide-rule/70">
      {data.playbooks.map(({ capability, territory, text, learnt }) => (
        <li key={JSON.stringify([capability, territory, text])} className="min-w-0 px-4 py-4 text-sm sm:px-6">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="anywhere font-mono text-xs font-medium">
              {capability}
              {territory === null ? "" : ` in ${territory}`}
            </span>
            <Plate>{learnt ? "learnt" : "written"}</Plate>
          </p>
          <div className="mt-2">
            <LongText text={text} what={`the playbook for ${capability}`} />
          </div>
        </li>
      ))}
    </ul>
  );
}
