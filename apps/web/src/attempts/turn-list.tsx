import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { ShowMore } from "../settings/show-more.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { type Attempt, confidencesOf, type Turn, turnsOf } from "./attempt-queries.ts";
import { nameInWords } from "./attempt-words.ts";
import { ConfidenceChart } from "./confidence-chart.tsx";
import { fieldsOf, listOf, numberOf, textOf } from "./json-fields.ts";
import { LongText } from "./marked.tsx";
import { useTurnNews } from "./use-attempt-news.ts";

/** What the agent thought, meant to do and saw, turn by turn (SAOP §1). */
export function TurnList({ pipelineId, attempt }: { pipelineId: string; attempt: Attempt }) {
  const { dispatchId, atWork, stageId, attemptNumber } = attempt;
  useTurnNews(pipelineId, dispatchId);
  const claims = useQuery(confidencesOf(dispatchId));
  const pages = useInfiniteQuery(turnsOf(dispatchId));
  const turns = pages.data?.pages.flatMap((page) => page.turns) ?? [];
  if (pages.error !== null && turns.length === 0) return <ProblemNotice problem={problemOf(pages.error)} />;
  if (pages.isPending) return <output className="text-ink-soft">Reading the turns…</output>;
  if (turns.length === 0)
    return (
      <Notice aspect="unlit" title={atWork ? "No turn has come yet" : "The agent reported no turns"}>
        <p>Turns are an agent’s own account of its work. It may report them or not.</p>
      </Notice>
    );
  return (
    <div className="grid gap-6">
      {claims.data && <ConfidenceChart claims={claims.data.confidences} />}
      <ol className="board divide-y divide-rule/70">
        {turns.map((turn) => (
          <li key={turn.turnIndex} className="p-5">
            <TurnFacts turn={turn} />
            <p className="mt-3 text-sm">
              <Link
                {...paths.attempts(pipelineId, {
                  stage: stageId,
                  attempt: String(attemptNumber),
                  from: String(turn.turnIndex),
                })}
                resetScroll={false}
                className="font-medium underline underline-offset-4"
              >
                The log from turn {turn.turnIndex}
              </Link>
            </p>
          </li>
        ))}
      </ol>
      {pages.error !== null && <ProblemNotice problem={problemOf(pages.error)} />}
      <ShowMore count={turns.length} pages={pages} />
    </div>
  );
}

const parts = ["thought", "action", "observation"] as const;

function TurnFacts({ turn: { turnIndex, turn, marks, receivedAt } }: { turn: Turn }) {
  const said = fieldsOf(turn);
  const content = fieldsOf(said.content);
  const metadata = fieldsOf(said.metadata);
  const masked = listOf(marks).length;
  const [agent, role] = [textOf(said.agent_id), textOf(said.role)];
  return (
    <article aria-label={`Turn ${turnIndex}`}>
      <header className="mb-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <h3 className="font-semibold">Turn {turnIndex}</h3>
        <span className="tabular-nums">{Math.round(numberOf(metadata.confidence) * 100)} % sure</span>
        <span className="text-ink-soft">
          {role === agent ? agent : `${agent} as ${role}`} ·{" "}
          {nameInWords(textOf(metadata.estimated_complexity))} complexity
        </span>
        {masked > 0 && (
          <span className="text-ink-soft">
            {masked} {masked === 1 ? "secret" : "secrets"} masked
          </span>
        )}
        <span className="ml-auto text-ink-soft">
          <Moment at={receivedAt} exact />
        </span>
      </header>
      <dl className="turn-facts text-sm">
        {parts.map((part) => (
          <div key={part} className="contents">
            <dt className="text-ink-soft first-letter:uppercase">{part}</dt>
            <dd className="min-w-0">
              {textOf(content[part]) === "" ? (
                <span className="text-ink-soft">nothing said</span>
              ) : (
                <LongText text={textOf(content[part])} what={`the ${part} of turn ${turnIndex}`} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
