import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { usePeople } from "../escalations/people.ts";
import { WithEscalations } from "../escalations/with-escalations.tsx";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Signal } from "../ui/signal.tsx";
import { Ended } from "./pipeline-end.tsx";
import type { Pipeline } from "./pipeline-queries.ts";
import { pipelineStatus } from "./statuses.ts";
import { taskInWords } from "./task-name.ts";
import { TrackDiagram } from "./track/track-diagram.tsx";
import { useLivePipeline } from "./use-live-pipeline.ts";

/** Of more a page would be nothing but its heading; a reader by ear is told all of it in any case. */
const LONG_TITLE = 160;

type FrameProps = { pipeline: Pipeline; children: ReactNode };

/** Each part has a URL of its own below the pipeline's. */
const partsOf = (pipelineId: string) => [
  { name: "Stages", link: paths.pipeline(pipelineId) },
  { name: "Attempts", link: paths.attempts(pipelineId) },
  { name: "Artifacts", link: paths.artifacts(pipelineId) },
  { name: "Trace", link: paths.trace(pipelineId) },
];

export function PipelineFrame({ pipeline, children }: FrameProps) {
  const { pipelineId, sourceTaskId, taskTitle, pipelineName } = pipeline;
  const [isWhole, setWhole] = useState(false);
  const isLong = (taskTitle ?? "").length > LONG_TITLE;
  useLivePipeline(pipelineId);
  return (
    <Page
      wide
      title={`${taskInWords(pipeline)} · Pipelines`}
      heading={
        taskTitle === null ? (
          sourceTaskId || pipelineId
        ) : (
          <>
            <span className="anywhere mb-1 block font-mono text-base font-semibold tracking-normal text-ink-soft">
              {sourceTaskId}
            </span>{" "}
            <span className={isLong && !isWhole ? "clamped-3" : ""}>{taskTitle}</span>
          </>
        )
      }
      lead={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <output aria-label="Status" className="flex">
            <Signal {...pipelineStatus(pipeline.status)} size="small" />
          </output>
          {pipelineName !== taskTitle && <span className="clamped-2">{pipelineName}</span>}
          {isLong && (
            <Button onClick={() => setWhole(!isWhole)}>
              {isWhole ? "Show less of the title" : "Read the whole title"}
            </Button>
          )}
        </span>
      }
    >
      <div className="grid gap-8">
        <Waiting pipeline={pipeline} />
        <Ended pipeline={pipeline} />
        <TrackDiagram pipeline={pipeline} />
        <nav aria-label="Parts of the pipeline" className="border-b border-rule">
          <ul className="flex flex-wrap gap-x-6">
            {partsOf(pipelineId).map(({ name, link }) => (
              <li key={name}>
                <Link
                  {...link}
                  activeOptions={{ exact: true, includeSearch: false }}
                  className="inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-ink-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {children}
      </div>
    </Page>
  );
}

/** Why it does not go on, where it is a person for whom it waits; an answer does not set off what somebody holds. */
function Waiting({ pipeline: { openEscalations, pause } }: { pipeline: Pipeline }) {
  const asks = openEscalations.length > 0;
  return (
    <>
      {pause !== null && (pause.reason === "person" || !asks) && <Paused pause={pause} />}
      {asks && <Questions questions={openEscalations} />}
    </>
  );
}

function Questions({ questions }: { questions: Pipeline["openEscalations"] }) {
  return (
    <Notice
      aspect="caution"
      title={
        questions.length === 1
          ? "It waits for a person’s answer"
          : `${questions.length} questions wait for a person’s answer`
      }
    >
      <ul className="space-y-1">
        {questions.map(({ escalationId, problem, stageId }) => (
          <li key={escalationId}>
            {stageId !== null && <code className="font-mono text-xs font-semibold">{stageId}: </code>}
            <Link {...paths.escalation(escalationId)} className="underline underline-offset-4">
              {problem}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Paused({ pause: { by, note, since } }: { pause: NonNullable<Pipeline["pause"]> }) {
  const { nameOf } = usePeople();
  return (
    <Notice aspect="caution" title={by === null ? "It is paused" : `Paused by ${nameOf(by.id)}`}>
      <p>{note === "" ? "No reason was given." : <WithEscalations text={note} />}</p>
      <p className="text-ink-soft">
        Since <Moment at={since} exact />
      </p>
    </Notice>
  );
}
