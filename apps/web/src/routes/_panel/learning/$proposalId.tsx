import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, notFound } from "@tanstack/react-router";
import { loadDrawing } from "../../../documents/drawing.ts";
import { TextDifference } from "../../../documents/text-difference.tsx";
import { usePeople } from "../../../escalations/people.ts";
import { oneProposal, type ProposalInFull } from "../../../learning/learning-queries.ts";
import { changeInWords, decisionWords } from "../../../learning/learning-words.ts";
import { ProposalActions } from "../../../learning/proposal-actions.tsx";
import { useLearningNews } from "../../../learning/use-learning-news.ts";
import { paths } from "../../../paths.ts";
import { isNotFound } from "../../../problem/problem.ts";
import { queryClient } from "../../../trpc.ts";
import { Moment } from "../../../ui/moment.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Fact, Panel } from "../../../ui/panel.tsx";
import { Signal } from "../../../ui/signal.tsx";

export const Route = createFileRoute("/_panel/learning/$proposalId")({
  loader: async ({ params }) => {
    try {
      const { effect } = await queryClient.ensureQueryData(oneProposal(params.proposalId));
      if (effect.kind === "changes") await loadDrawing();
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: OneProposal,
  notFoundComponent: NoSuchProposal,
});

function OneProposal() {
  const { proposalId } = Route.useParams();
  const { data: of } = useSuspenseQuery(oneProposal(proposalId));
  const { nameOf } = usePeople();
  useLearningNews();
  const { change, why, evidence, policyVersion, proposedAt, decision, effect } = of;
  const standing =
    decision === null
      ? ({ aspect: "caution", word: "To be decided" } as const)
      : decisionWords[decision.decision];
  return (
    <Page title="Proposal" heading={changeInWords(change)} lead={<Signal {...standing} size="small" />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
        <output className="block empty:hidden">{decision !== null && <Decided decision={decision} />}</output>
        <Panel heading="Why">
          <p className="anywhere">{why}</p>
          <ul aria-label="What it rests on" className="mt-4 list-disc space-y-1 pl-5 text-sm">
            {evidence.map((line, index) => (
              // Two persons may have said the same of one task.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className="anywhere">
                {line.replace(/^\S+(?= on task )/, nameOf)}
              </li>
            ))}
          </ul>
          <dl className="mt-6">
            <Fact name="Proposed">
              <Moment at={proposedAt} exact />
            </Fact>
            {policyVersion !== null && (
              <Fact name="Policy then in force">
                <Link {...paths.policy(policyVersion)} className="underline underline-offset-4">
                  {policyVersion}
                </Link>
              </Fact>
            )}
            {decision === null && effect.kind === "changes" && (
              <Fact name="It replaces">
                <Link {...paths.policy(effect.replaces)} className="underline underline-offset-4">
                  {effect.replaces}
                </Link>
              </Fact>
            )}
          </dl>
        </Panel>
        <Panel heading="What it would change">
          <Effect of={of} />
        </Panel>
        {decision === null && (
          <Panel heading="Decide">
            <ProposalActions of={of} />
          </Panel>
        )}
      </div>
    </Page>
  );
}

function Effect({ of: { change, effect, decision } }: { of: ProposalInFull }) {
  if (effect.kind === "changes")
    return (
      <TextDifference
        before={{ label: `${effect.replaces}, in force`, text: effect.before }}
        after={{ label: `${effect.version}, if it is accepted`, text: effect.after }}
      />
    );
  return (
    <div className="grid gap-4">
      {decision === null && <Notice aspect="unlit" title={effect.why} />}
      <pre className="anywhere board p-4 font-mono text-xs whitespace-pre-wrap">
        {change.kind === "playbook" ? change.text : changeInWords(change)}
      </pre>
    </div>
  );
}

function Decided({ decision }: { decision: NonNullable<ProposalInFull["decision"]> }) {
  const { nameOf } = usePeople();
  const { aspect, word } = decisionWords[decision.decision];
  const who = decision.by.type === "human" ? ` by ${nameOf(decision.by.id)}` : "";
  return (
    <Notice aspect={aspect} title={`${word}${who}`}>
      <p className="whitespace-pre-wrap">{decision.reason}</p>
      {decision.policyVersion !== null && (
        <p>
          It took effect in{" "}
          <Link
            {...paths.policy(decision.policyVersion)}
            className="font-medium underline underline-offset-4"
          >
            routing policy {decision.policyVersion}
          </Link>
          .
        </p>
      )}
      <p className="text-ink-soft">
        <Moment at={decision.at} exact />
      </p>
    </Notice>
  );
}

function NoSuchProposal() {
  return (
    <Page title="No such proposal">
      <Notice aspect="unlit" title="There is no proposal of this name">
        <Link {...paths.learning()} className="font-medium underline underline-offset-4">
          Show all that wait
        </Link>
      </Notice>
    </Page>
  );
}
