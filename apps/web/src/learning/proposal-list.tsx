import { Link } from "@tanstack/react-router";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Lamp } from "../ui/signal.tsx";
import type { Proposal } from "./learning-queries.ts";
import { changeInWords, decisionWords } from "./learning-words.ts";

const underlined = "font-medium underline decoration-track/50 underline-offset-4 hover:decoration-ink";

export function ProposalList({ name, proposals }: { name: string; proposals: readonly Proposal[] }) {
  const { nameOf } = usePeople();
  return (
    <ul aria-label={name} className="board divide-y divide-rule/70">
      {proposals.map(({ proposalId, change, why, proposedAt, decision }) => (
        <li key={proposalId} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-4 py-4 sm:px-6">
          <Lamp aspect={decision === null ? "caution" : decisionWords[decision.decision].aspect} />
          <div className="min-w-0 text-sm">
            <p className="anywhere">
              <Link {...paths.proposal(proposalId)} className={underlined}>
                {changeInWords(change)}
              </Link>
            </p>
            <p className="anywhere clamped-3 mt-1">{why}</p>
            <p className="anywhere mt-1 text-ink-soft">
              Proposed <Moment at={proposedAt} />
              {decision !== null && (
                <>
                  . {decisionWords[decision.decision].word}
                  {decision.by.type === "human" && ` by ${nameOf(decision.by.id)}`}{" "}
                  <Moment at={decision.at} />
                  {decision.policyVersion !== null && (
                    <>
                      , in{" "}
                      <Link
                        {...paths.policy(decision.policyVersion)}
                        className="underline underline-offset-4"
                      >
                        routing policy {decision.policyVersion}
                      </Link>
                    </>
                  )}
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
