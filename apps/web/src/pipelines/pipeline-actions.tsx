import type { ReactNode } from "react";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client } from "../trpc.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import type { Pipeline } from "./pipeline-queries.ts";
import { useCommand } from "./use-command.ts";

/** Each says what it does to the clock (D13), and where it is not allowed, why. */
export function PipelineActions({ pipeline }: { pipeline: Pipeline }) {
  const { pipelineId, permits, status } = pipeline;
  const command = useCommand(pipelineId, (name: "pause" | "resume" | "abort") =>
    client.pipelines[name].mutate({ pipelineId }),
  );
  const busy = command.isPending ? "It is being asked for." : undefined;
  const isPaused = status === "PIPELINE_STATUS_PAUSED";
  const reasonOf = (permit: Pipeline["permits"]["pause"]) => permit.reason ?? busy;
  return (
    <div className="grid gap-4">
      <ul className="grid gap-x-10 gap-y-4 md:grid-cols-2">
        {isPaused ? (
          <Action says="The deadline’s clock goes on with what was left when it stopped. Stages that wait are sent.">
            <Button
              kind="main"
              unavailable={reasonOf(permits.resume)}
              onClick={() => command.mutate("resume")}
            >
              Resume
            </Button>
          </Action>
        ) : (
          <Action says="The deadline’s clock stops. Nothing new is sent; agents at work finish, and what they report counts. Resume takes it back.">
            <Button unavailable={reasonOf(permits.pause)} onClick={() => command.mutate("pause")}>
              Pause
            </Button>
          </Action>
        )}
        <Action says="The clock ends. Agents at work are called off, and what they report afterwards counts no more.">
          <ConfirmButton
            action="Abort"
            what="the pipeline"
            question="Abort this pipeline?"
            unavailable={reasonOf(permits.abort)}
            onConfirm={() => command.mutate("abort")}
          >
            <p>It ends for good: nothing takes an abort back. What was done so far stays on record.</p>
          </ConfirmButton>
        </Action>
      </ul>
      {command.error !== null && <ProblemNotice problem={problemOf(command.error)} />}
    </div>
  );
}

function Action({ says, children }: { says: string; children: ReactNode }) {
  return (
    <li className="grid content-start gap-2 border-l-4 border-rule pl-4">
      <span>{children}</span>
      <span className="text-sm text-ink-soft">{says}</span>
    </li>
  );
}
