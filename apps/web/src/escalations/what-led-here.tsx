import { useQuery } from "@tanstack/react-query";
import { standingOf } from "../attempts/attempt-words.ts";
import { useFresh } from "../live/use-fresh.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { Lamp } from "../ui/signal.tsx";
import { attemptsBefore } from "./attempts-before.ts";
import { attemptsOf, type EscalationInFull, lastTurnsOf } from "./escalation-queries.ts";
import { PipelineLink } from "./pipeline-link.tsx";
import { readTurn } from "./turn-reading.ts";

/** The gate's findings, the stage's attempts and what the agent said last, each with its way to the whole of it. */
export function WhatLedHere({ of }: { of: EscalationInFull }) {
  const { data, error } = useQuery(attemptsOf(of.pipelineId));
  const { own, named, shown, latest } = attemptsBefore(data?.attempts ?? [], of);
  useFresh(`pipeline:${of.pipelineId}`, (message) => {
    const attempts = attemptsOf(of.pipelineId).queryKey;
    const turns = latest === undefined ? [] : [lastTurnsOf(latest.dispatchId).queryKey];
    if (message.type === "started") return [attempts, ...turns];
    if (message.kind === "pipeline.changed") return [attempts];
    const isOfLatest = message.kind === "turn.reported" && message.data["dispatchId"] === latest?.dispatchId;
    return isOfLatest ? turns : [];
  });
  return (
    <Panel
      heading="What led here"
      aside={
        <span className="text-sm font-medium">
          <PipelineLink pipelineId={of.pipelineId}>The pipeline</PipelineLink>
        </span>
      }
    >
      <div className="grid gap-6">
        {of.gate !== null && <GateChecks checks={of.gate.checks ?? []} />}
        {error !== null && <ProblemNotice problem={problemOf(error)} />}
        {data !== undefined && !own && (
          <p className="anywhere text-sm text-ink-soft">
            Nobody had an attempt at {of.stageId === null ? "any stage" : `stage "${of.stageId}"`} yet.
          </p>
        )}
        {shown.length > 0 && (
          <ol className="grid gap-2" aria-label="Attempts">
            {shown.map((attempt) => (
              <li key={attempt.dispatchId} className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
                <span className="font-medium">
                  {named ? `${attempt.stageId}, attempt` : "Attempt"} {attempt.attemptNumber}
                </span>
                <span className="anywhere font-mono text-xs leading-5">
                  {attempt.packId} / {attempt.instanceId}
                </span>
                <span className="text-ink-soft">{standingOf(attempt).word}</span>
                <span className="text-ink-soft sm:ml-auto">
                  <Moment at={attempt.sentAt} />
                </span>
              </li>
            ))}
          </ol>
        )}
        {latest !== undefined && <LastTurns dispatchId={latest.dispatchId} />}
      </div>
    </Panel>
  );
}

type Check = { gateName?: string | undefined; passed?: boolean | undefined; evidence?: string | undefined };

function GateChecks({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className="grid gap-3" aria-label="The gate’s checks">
      {checks.map(({ gateName = "", passed = false, evidence = "" }) => (
        <li key={gateName} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
          <Lamp aspect={passed ? "clear" : "danger"} size="small" />
          <p className="anywhere">
            <span className="font-medium">{gateName}</span>{" "}
            <span className="sr-only">{passed ? "passed" : "failed"}: </span>
            <span className="text-ink-soft">{evidence}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function LastTurns({ dispatchId }: { dispatchId: string }) {
  const { data } = useQuery(lastTurnsOf(dispatchId));
  const turns = (data?.turns ?? []).flatMap(({ turnIndex, turn }) => {
    const reading = readTurn(turn);
    return reading === undefined ? [] : [{ turnIndex, ...reading }];
  });
  if (turns.length === 0) return null;
  return (
    <ol className="grid gap-3" aria-label="The last turns">
      {turns.map(({ turnIndex, thought, action, observation, confidence }) => (
        <li key={turnIndex} className="border-l-2 border-rule pl-4 text-sm">
          <p className="text-ink-soft tabular-nums">
            Turn {turnIndex + 1}
            {confidence !== undefined && `, ${Math.round(confidence * 100)} % sure`}
          </p>
          <p className="clamped-6 whitespace-pre-wrap">{thought}</p>
          <p className="anywhere mt-1 font-mono text-xs">{action}</p>
          <p className="clamped-4 text-ink-soft">{observation}</p>
        </li>
      ))}
    </ol>
  );
}
