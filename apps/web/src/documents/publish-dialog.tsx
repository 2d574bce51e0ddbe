import { useId, useRef, useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";

type PublishDialogProps = {
  /** On the button in the page, and on the one in the dialog. */
  action: string;
  what: string;
  question: string;
  children: ReactNode;
  kind?: "plain" | "main";
  unavailable?: string | undefined;
  onConfirm: (note: string) => void;
};

/** Publishing and rolling back ask for a note, since both go on record. The dialog is the browser's own. */
export function PublishDialog(props: PublishDialogProps) {
  const { action, what, question, children, kind = "plain", unavailable, onConfirm } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [note, setNote] = useState("");
  return (
    <>
      <Button kind={kind} unavailable={unavailable} onClick={() => dialog.current?.showModal()}>
        {action}
        <span className="sr-only"> {what}</span>
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className="m-auto w-[calc(100%-2rem)] max-w-lg rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
      >
        <form
          method="dialog"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            dialog.current?.close();
            onConfirm(note.trim());
            setNote("");
          }}
        >
          <h2 id={titleId} className="anywhere text-lg font-semibold">
            {question}
          </h2>
          <div className="anywhere mt-3 space-y-3 text-sm text-ink-soft">{children}</div>
          <div className="mt-5">
            <Field
              label="Note"
              autoComplete="off"
              value={note}
              onValue={setNote}
              hint="Why. It may be left out; it goes on record beside your name."
            />
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
            <button
              type="submit"
              className="inline-flex min-h-10 items-center justify-center rounded-sm border border-plate bg-plate px-4 text-sm font-medium text-plate-ink transition-colors hover:bg-plate/85"
            >
              {action}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
