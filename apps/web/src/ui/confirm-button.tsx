import { useId, useRef, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { CommandButton } from "./command-button.tsx";

type ConfirmProps = {
  /** On the button in the page, and again on the one that does it: a person reads what they press. */
  action: string;
  /** Completes the accessible name, since a list has many of these. */
  what: string;
  question: string;
  children: ReactNode;
  onConfirm: () => void;
  unavailable?: string | undefined;
  kind?: "plain" | "main";
  /** Asks, or shows what is missing before anything could be asked. */
  before?: (ask: () => void) => void;
};

/** For what cannot be taken back. The dialog is the browser's own: it keeps the focus, and Escape leaves it. */
export function ConfirmButton({ action, what, question, children, onConfirm, ...rest }: ConfirmProps) {
  const { unavailable, kind = "plain", before = (ask) => ask() } = rest;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  return (
    <>
      <Button kind={kind} unavailable={unavailable} onClick={() => before(() => dialog.current?.showModal())}>
        {action}
        <span className="sr-only"> {what}</span>
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
      >
        <h2 id={titleId} className="anywhere text-lg font-semibold">
          {question}
        </h2>
        <div className="anywhere mt-3 space-y-3 text-sm text-ink-soft">{children}</div>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <CommandButton
            kind="main"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {action}
          </CommandButton>
        </div>
      </dialog>
    </>
  );
}
