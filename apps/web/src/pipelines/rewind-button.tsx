import { useEffect, useId, useRef, useState } from "react";
import { WithEscalations } from "../escalations/with-escalations.tsx";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client } from "../trpc.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { useCommand } from "./use-command.ts";

type RewindProps = {
  pipelineId: string;
  stageId: string;
  /** What it does to the clock, said before it is done. */
  clock: string;
  unavailable: string | undefined;
};

/** A list has hundreds of these: the dialog is made when it is asked for. What was written stays when it is left. */
export function RewindButton({ pipelineId, stageId, clock, unavailable }: RewindProps) {
  const [isOpen, setOpen] = useState(false);
  const [instructions, setInstructions] = useState("");
  return (
    <>
      <Button
        unavailable={unavailable && <WithEscalations text={unavailable} />}
        onClick={() => setOpen(true)}
      >
        Rewind to here<span className="sr-only"> {stageId}</span>
      </Button>
      {isOpen && (
        <RewindDialog
          {...{ pipelineId, stageId, clock, instructions }}
          onInstructions={setInstructions}
          onClosed={() => setOpen(false)}
        />
      )}
    </>
  );
}

type DialogProps = Omit<RewindProps, "unavailable"> & {
  instructions: string;
  onInstructions: (instructions: string) => void;
  onClosed: () => void;
};

function RewindDialog({ pipelineId, stageId, clock, instructions, onInstructions, onClosed }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const rewind = useCommand(pipelineId, (wish: { instructions: string }) =>
    client.pipelines.rewind.mutate({ pipelineId, stageId, ...wish }),
  );
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      // The browser gives the focus back before it says so, while the dialog is still there.
      onClose={onClosed}
      className="m-auto w-[calc(100%-2rem)] max-w-lg rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (rewind.isPending) return;
          rewind.mutate(
            { instructions },
            {
              onSuccess: () => {
                onInstructions("");
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
          <p>{clock}</p>
        </div>
        <label htmlFor={`${id}-text`} className="mt-4 mb-1.5 block text-sm font-medium">
          Instructions for the next attempt
        </label>
        <textarea
          id={`${id}-text`}
          value={instructions}
          rows={4}
          maxLength={16_000}
          onChange={(event) => onInstructions(event.target.value)}
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
  );
}
