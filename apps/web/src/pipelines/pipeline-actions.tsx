import type { ReactNode } from "react";
import { WithEscalations } from "../escalations/with-escalations.tsx";
import { Refusal } from "../problem/refusal.tsx";
import { client } from "../trpc.ts";
import { ReasonButton } from "../ui/reason-button.tsx";
import { useAsked } from "../ui/use-asked.ts";
import type { Pipeline } from "./pipeline-queries.ts";
import { useCommand } from "./use-command.ts";

/** Each says what it does to the clock (D13), and where it is not allowed, why. */
export function PipelineActions({ pipeline }: { pipeline: Pipeline }) {
  const { pipelineId, permits, status } = pipeline;
  const command = useCommand(
    pipelineId,
    ({ name, note }: { name: "pause" | "resume" | "abort"; note: string }) =>
      client.pipelines[name].mutate({ pipelineId, ...(note !== "" && { note }) }),
  );
  const busy = command.isPending ? "It is being asked for." : undefined;
  const clock = useAsked<"pause" | "resume">(status === "PIPELINE_STATUS_PAUSED" ? "resume" : "pause");
  const reasonOf = ({ reason }: Pipeline["permits"]["pause"]) =>
    reason === null || reason === undefined ? busy : <WithEscalations text={reason} />;
  return (
    <div className="grid gap-4">
      {command.error !== null && <Refusal error={command.error} />}
      <ul className="grid gap-x-10 gap-y-4 md:grid-cols-2">
        {clock.shown === "resume" ? (
          <Action says="The deadline’s clock goes on with what was left when it stopped. Stages that wait are sent.">
            <ReasonButton
              key="resume"
              action="Resume"
              what="the pipeline"
              question="Resume this pipeline?"
              kind="main"
              optional
              unavailable={reasonOf(permits.resume)}
              onOpen={clock.onOpen}
              past={clock.isPast ? "It is paused no more." : undefined}
              onReason={(note, then) => command.mutate({ name: "resume", note }, then)}
            >
              <p>The deadline’s clock goes on with what was left when it stopped.</p>
            </ReasonButton>
          </Action>
        ) : (
          <Action says="The deadline’s clock stops. Nothing new is sent; agents at work finish, and what they report counts. Resume takes it back.">
            <ReasonButton
              key="pause"
              action="Pause"
              what="the pipeline"
              question="Pause this pipeline?"
              optional
              unavailable={reasonOf(permits.pause)}
              onOpen={clock.onOpen}
              past={clock.isPast ? "It is paused by now." : undefined}
              onReason={(note, then) => command.mutate({ name: "pause", note }, then)}
            >
              <p>Nothing new is sent until somebody resumes it. Whoever looks at it reads why.</p>
            </ReasonButton>
          </Action>
        )}
        <Action says="The clock ends. Agents at work are called off, and what they report afterwards counts no more.">
          <ReasonButton
            action="Abort"
            what="the pipeline"
            question="Abort this pipeline?"
            unavailable={reasonOf(permits.abort)}
            onReason={(note, then) => command.mutate({ name: "abort", note }, then)}
          >
            <p>It ends for good: nothing takes an abort back. What was done so far stays on record.</p>
          </ReasonButton>
        </Action>
      </ul>
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
