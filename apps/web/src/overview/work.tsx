import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { countInWords, waiting } from "../escalations/waiting-query.ts";
import { paths } from "../paths.ts";
import { endedPipelines, newestPipelines, type PipelineSummary } from "../pipelines/pipeline-queries.ts";
import { PipelineRows } from "../pipelines/pipeline-rows.tsx";
import { StartDemonstration } from "../pipelines/start-demonstration.tsx";
import { SubmitTaskLink } from "../pipelines/submit-task-link.tsx";
import { Panel } from "../ui/panel.tsx";
import { openQuestions, shown } from "./work-queries.ts";
import { Questions } from "./questions.tsx";

/** What is on the line now, and what does not go on without a person. */
export function Work() {
  const running = useSuspenseQuery(newestPipelines("RUNNING", shown)).data.pipelines;
  const paused = useSuspenseQuery(newestPipelines("PAUSED", shown)).data.pipelines;
  const newest = useSuspenseQuery(newestPipelines(undefined, 1)).data.pipelines;
  const ended = useSuspenseQuery(endedPipelines(shown)).data.pipelines;
  const questions = useSuspenseQuery(openQuestions()).data.escalations;
  const count = useSuspenseQuery(waiting()).data;
  if (newest.length === 0)
    return (
      <Panel heading="No task has been submitted yet">
        <StartDemonstration />
      </Panel>
    );
  return (
    <div className="grid gap-12">
      {questions.length > 0 && (
        <Panel
          heading="Waits for a person"
          aside={
            <Link {...paths.escalations()} className="text-sm underline underline-offset-4">
              {count.open > questions.length
                ? `All ${countInWords(count)} that wait, by how long`
                : "To the inbox"}
            </Link>
          }
        >
          <Questions questions={questions} />
        </Panel>
      )}
      {paused.length > 0 && (
        <Panel heading="Stands still" aside={<More status="PAUSED" name="All that are paused" />}>
          <PipelineRows pipelines={paused} label="Paused pipelines" />
        </Panel>
      )}
      <Panel heading="On the line" aside={<More status="RUNNING" name="All that run" />}>
        {running.length > 0 ? (
          <PipelineRows pipelines={running} label="Running pipelines" />
        ) : (
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <p className="text-sm text-ink-soft">The line is free: nothing runs now.</p>
            <SubmitTaskLink />
          </div>
        )}
      </Panel>
      {ended.length > 0 && (
        <Panel heading="Came to an end lately">
          <PipelineRows pipelines={ended} label="Pipelines that ended lately" momentOf={endOf} />
        </Panel>
      )}
    </div>
  );
}

const endOf = ({ createdAt, endedAt }: PipelineSummary) => endedAt ?? createdAt;

const More = ({ status, name }: { status: "RUNNING" | "PAUSED"; name: string }) => (
  <Link {...paths.pipelines({ status })} className="text-sm underline underline-offset-4">
    {name}
  </Link>
);
