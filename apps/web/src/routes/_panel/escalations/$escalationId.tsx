import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, notFound } from "@tanstack/react-router";
import { LongText } from "../../../attempts/marked.tsx";
import { AnswerForm } from "../../../escalations/answer-form.tsx";
import { Attendant } from "../../../escalations/attendant.tsx";
import { Comments } from "../../../escalations/comments.tsx";
import { ageOf, dueOf } from "../../../escalations/due.ts";
import {
  attemptsOf,
  oneEscalation,
  oneKey,
  type EscalationInFull,
} from "../../../escalations/escalation-queries.ts";
import { LikeCases } from "../../../escalations/like-cases.tsx";
import { PipelineLink } from "../../../escalations/pipeline-link.tsx";
import { peopleKey, usePeople } from "../../../escalations/people.ts";
import { WhatLedHere } from "../../../escalations/what-led-here.tsx";
import { causeOf, endInWords, saidWith } from "../../../escalations/words.ts";
import { useFresh } from "../../../live/use-fresh.ts";
import { paths } from "../../../paths.ts";
import { taskInWords } from "../../../pipelines/task-name.ts";
import { isNotFound } from "../../../problem/problem.ts";
import { queryClient } from "../../../trpc.ts";
import { Moment } from "../../../ui/moment.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Fact, Panel } from "../../../ui/panel.tsx";
import { Signal } from "../../../ui/signal.tsx";
import { useNow } from "../../../ui/use-now.ts";

export const Route = createFileRoute("/_panel/escalations/$escalationId")({
  loader: async ({ params }) => {
    try {
      await queryClient.ensureQueryData(oneEscalation(params.escalationId));
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: OneEscalation,
  notFoundComponent: NoSuchEscalation,
});

function OneEscalation() {
  const { escalationId } = Route.useParams();
  const { session } = Route.useRouteContext();
  const { data: of } = useSuspenseQuery(oneEscalation(escalationId));
  const { data: before } = useQuery(attemptsOf(of.pipelineId));
  const { nameOf } = usePeople();
  useFresh("escalations", (message) =>
    message.type === "started" || message.data["escalationId"] === escalationId
      ? [oneKey(escalationId), peopleKey]
      : [],
  );
  const stages = [...new Set((before?.attempts ?? []).map(({ stageId }) => stageId))];
  const over = of.closedAt === null ? undefined : `It is over: ${endInWords(of.end, nameOf)}.`;
  return (
    <Page wide title={`${taskInWords(of)} · Escalations`} heading={causeOf(of)} lead={<Standing of={of} />}>
      <div className="grid items-start gap-12 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] 2xl:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 items-start gap-12 2xl:grid-cols-2">
          <output className="block empty:hidden 2xl:col-span-2">
            {of.closedAt !== null && <Ended of={of} nameOf={nameOf} />}
          </output>
          <div className="grid min-w-0 gap-12">
            <Panel heading="The question">
              <LongText text={of.problem} what="the question" most={1_500} />
              <p className="anywhere mt-3 text-sm text-ink-soft">
                {of.closedAt !== null && "When it was asked: "}
                {of.impact}
              </p>
            </Panel>
            <AnswerForm key={escalationId} of={of} session={session} stages={stages} over={over} />
          </div>
          <div className="grid min-w-0 gap-12">
            <WhatLedHere of={of} />
            <Comments key={`comments of ${escalationId}`} of={of} session={session} />
          </div>
        </div>
        <div className="grid min-w-0 gap-12">
          <Panel heading="Who attends to it">
            <Attendant of={of} session={session} />
          </Panel>
          <Panel heading="Where it arose">
            <dl>
              <Fact name="Task">
                <LongText text={taskInWords(of)} what="the task’s title" most={200} />
              </Fact>
              <Fact name="Pipeline">
                <span className="font-mono text-xs">
                  <PipelineLink pipelineId={of.pipelineId}>{of.pipelineId}</PipelineLink>
                </span>
              </Fact>
              <Fact name="Stage">
                {of.stageId === null
                  ? "the pipeline as a whole"
                  : `${of.stageId}, attempt ${of.attemptNumber}`}
              </Fact>
              <Fact name="Pack">{of.packId ?? "nobody had it"}</Fact>
              <Fact name="Type of task">{of.taskType ?? "none"}</Fact>
              <Fact name="Asked">
                <Moment at={of.openedAt} exact />
              </Fact>
              <Fact name="To be answered by">
                <Moment at={of.answerDueAt} exact />
              </Fact>
              {of.closedAt === null && (
                <Fact name="Without an answer">it stays open, and nothing is decided</Fact>
              )}
            </dl>
          </Panel>
          <LikeCases like={of.like} />
        </div>
      </div>
    </Page>
  );
}

/** It moves by itself, and is a part of its own, so that nothing else of the page is drawn anew with it. */
function Standing({ of }: { of: EscalationInFull }) {
  const now = useNow();
  const due = dueOf(of, now);
  return (
    <span className="grid gap-2">
      <span className="clamped-3">
        <PipelineLink pipelineId={of.pipelineId}>{taskInWords(of)}</PipelineLink>
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 tabular-nums">
        <Signal aspect={due.aspect} word={due.word} />
        <span className="text-sm">{ageOf(of, now)}</span>
      </span>
    </span>
  );
}

function Ended({ of, nameOf }: { of: EscalationInFull; nameOf: (memberId: string) => string }) {
  const { end, closedAt } = of;
  return (
    <Notice aspect={end?.kind === "resolved" ? "clear" : "unlit"} title={endInWords(end, nameOf)}>
      {end?.kind === "resolved" && (
        <dl>
          {[...saidWith(end), { name: "Reason", text: end.comment }].map(({ name, text }) => (
            <Fact key={name} name={name}>
              <span className="whitespace-pre-wrap">{text}</span>
            </Fact>
          ))}
        </dl>
      )}
      {closedAt !== null && (
        <p className="text-ink-soft">
          <Moment at={closedAt} exact />
        </p>
      )}
    </Notice>
  );
}

function NoSuchEscalation() {
  return (
    <Page title="No such escalation">
      <Notice aspect="unlit" title="There is no escalation of this name">
        <Link {...paths.escalations()} className="font-medium underline underline-offset-4">
          Show all that wait
        </Link>
      </Notice>
    </Page>
  );
}
