import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { TaskName } from "../pipelines/task-name.tsx";
import { Moment } from "../ui/moment.tsx";
import { Lamp } from "../ui/signal.tsx";
import type { Question } from "./work-queries.ts";

/** The open escalations, those that wait longest first. */
export function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <ul aria-label="Open escalations" className="board overflow-hidden">
      {questions.map(({ escalationId, pipelineId, sourceTaskId, taskTitle, problem, openedAt }) => (
        <li
          key={escalationId}
          className="relative flex flex-wrap items-center gap-x-5 gap-y-1 border-b border-rule/70 px-4 py-3 text-sm last:border-b-0 focus-within:bg-recess/60 hover:bg-recess/60 sm:px-6"
        >
          <Lamp aspect="caution" size="small" />
          <span className="grid min-w-0 flex-1 basis-56 gap-0.5">
            <Link
              {...paths.pipeline(pipelineId)}
              className="clamped-2 font-medium before:absolute before:inset-0 focus-visible:outline-offset-[-2px]"
            >
              {problem}
            </Link>
            <span className="text-ink-soft">
              <TaskName {...{ pipelineId, sourceTaskId, taskTitle }} />
            </span>
          </span>
          <span className="text-ink-soft tabular-nums">
            <Moment at={openedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
