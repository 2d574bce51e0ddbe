import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { WithEscalations } from "../escalations/with-escalations.tsx";
import { Moment } from "../ui/moment.tsx";
import { Plate } from "../ui/plate.tsx";
import { Signal } from "../ui/signal.tsx";
import type { Pipeline, Stage } from "./pipeline-queries.ts";
import { clockAtRewind } from "./clock-at-rewind.ts";
import { RewindButton } from "./rewind-button.tsx";
import { stageStatus } from "./statuses.ts";
import { stageAnchor } from "./track/track-diagram.tsx";

export function StageList({ pipeline }: { pipeline: Pipeline }) {
  const { pipelineId, stages, permits } = pipeline;
  const clock = clockAtRewind(pipeline);
  const refusals = new Map(permits.rewind.map(({ stageId, reason }) => [stageId, reason]));
  return (
    <ol aria-label="Stages" className="board">
      {stages.map((stage) => (
        <StageRow
          key={stage.stageId}
          pipelineId={pipelineId}
          stage={stage}
          clock={clock}
          noRewind={refusals.get(stage.stageId) ?? undefined}
        />
      ))}
    </ol>
  );
}

type RowProps = { pipelineId: string; stage: Stage; clock: string; noRewind: string | undefined };

/** Of two hundred, those that moved are drawn again, and those out of sight are not laid out. */
const StageRow = memo(function StageRow({ pipelineId, stage, clock, noRewind }: RowProps) {
  return (
    <li
      id={stageAnchor(stage.stageId)}
      tabIndex={-1}
      className="grid scroll-mt-4 gap-3 border-b border-rule/70 px-4 py-4 [contain-intrinsic-size:auto_8rem] [content-visibility:auto] last:border-b-0 target:bg-recess/70 sm:px-6"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="anywhere font-mono text-sm font-semibold">{stage.stageId}</h3>
        <Signal {...stageStatus(stage)} size="small" />
        {stage.attemptNumber > 0 && (
          <span className="text-sm text-ink-soft tabular-nums">attempt {stage.attemptNumber}</span>
        )}
        <span className="ml-auto">
          <RewindButton
            pipelineId={pipelineId}
            stageId={stage.stageId}
            clock={clock}
            unavailable={noRewind}
          />
        </span>
      </div>
      <StageFacts stage={stage} />
    </li>
  );
});

function StageFacts({ stage }: { stage: Stage }) {
  const { dispatch, failure, result, wait, notBefore, feedback, skipReason, noWayOn } = stage;
  const afters = stage.config.dependsOnStages;
  return (
    <dl className="grid gap-y-1.5 text-sm">
      <Line name="Does">
        <span className="font-mono text-xs">{stage.taskType}</span>
        {afters.length > 0 && <> after {afters.join(", ")}</>}
        {!stage.config.required && ", may be skipped"}
      </Line>
      {dispatch !== null && (
        <Line name="Sent to">
          <Link
            to="/packs/$packId/versions/$packVersion"
            params={{ packId: dispatch.packId, packVersion: dispatch.packVersion }}
            className="font-mono text-xs underline underline-offset-4"
          >
            {dispatch.packId}
          </Link>{" "}
          <Plate>{dispatch.packVersion}</Plate> <Moment at={dispatch.sentAt} exact />
        </Line>
      )}
      {wait !== null && (
        <Line name="Waits since">
          <Moment at={wait.since} exact />, asked again at <Moment at={wait.until} exact />
        </Line>
      )}
      {notBefore !== null && (
        <Line name="Not before">
          <Moment at={notBefore} exact />
        </Line>
      )}
      {result !== null && result.status.summary !== "" && <Line name="Result">{result.status.summary}</Line>}
      {stage.waitsForEscalationId !== null && (
        <Line name="Waits for">
          the answer to <WithEscalations text={stage.waitsForEscalationId} />
        </Line>
      )}
      {failure !== null && (
        <Line name="Failure">
          <Plate>{failure.code}</Plate> <WithEscalations text={failure.reason} />
        </Line>
      )}
      {skipReason !== null && <Line name="Skipped">{skipReason}</Line>}
      {noWayOn !== null && <Line name="Ends here">No way led on: {noWayOn}</Line>}
      {feedback.map((one) => (
        <Line key={`${one.fromAttempt} ${one.kind} ${one.text}`} name="Told">
          {one.text || one.question || one.failedChecks.map(({ gateName }) => gateName).join(", ")}{" "}
          <span className="text-ink-soft">after attempt {one.fromAttempt}</span>
        </Line>
      ))}
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="anywhere">{children}</dd>
    </div>
  );
}
