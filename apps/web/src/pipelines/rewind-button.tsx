import { useId, useRef, useState } from "react";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client } from "../trpc.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import type { Pipeline } from "./pipeline-queries.ts";
import { useCommand } from "./use-command.ts";

export function RewindButton({ pipeline, stageId }: { pipeline: Pipeline; stageId: string }) {
  const { pipelineId } = pipeline;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [instructions, setInstructions] = useState("");
  const rewind = useCommand(pipelineId, (wish: { instructions: string }) =>
    client.pipelines.rewind.mutate({ pipelineId, stageId, ...wish }),
  );
  const permit = pipeline.permits.rewind.find((one) => one.stageId === stageId);
  return (
    <>
      <Button unavailable={permit?.reason ?? undefined} onClick={() => dialog.current?.showModal()}>
        Rewind to here<span className="sr-only"> {stageId}</span>
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={`${id}-title`}
        className="m-auto w-full max-w-lg rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (rewind.isPending) return;
            rewind.mutate(
              { instructions },
              {
                onSuccess: () => {
                  setInstructions("");
                  dialog.current?.close();
                },
              },
            );
          }}
        >
          <h2 id={`${id}-title`} className="anywhere text-lg font-semibold">
            Rewind to {stageId}?
          </h2>
          <div className="mt-3 space-y-3 text-sm text-ink-soft">
            <p>
              This stage and all that depend on it begin anew; parallel branches keep their results. Work at
              hand among them is called off.
            </p>
            <p>The deadline’s clock keeps running. It stops only while the pipeline is paused.</p>
          </div>
          <label htmlFor={`${id}-text`} className="mt-4 mb-1.5 block text-sm font-medium">
            Instructions for the next attempt
          </label>
          <textarea
            id={`${id}-text`}
            value={instructions}
            rows={4}
            maxLength={16_384}
            onChange={(event) => setInstructions(event.target.value)}
            className="w-full rounded-sm border border-track/60 bg-panel p-3 text-sm"
          />
          {rewind.error !== null && (
            <div className="mt-3">
              <ProblemNotice problem={problemOf(rewind.error)} />
            </div>
          )}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
            <SubmitButton>Rewind</SubmitButton>
          </div>
        </form>
      </dialog>
    </>
  );
}
