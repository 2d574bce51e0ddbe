import { useId, useRef, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { CommandButton } from "./command-button.tsx";
import { TextArea } from "./text-area.tsx";

type ReasonProps = {
  action: string;
  /** Completes the accessible name, since a list has many of these. */
  what: string;
  question: string;
  children: ReactNode;
  onReason: (reason: string, then: { onSuccess: () => void }) => void;
  unavailable?: ReactNode;
  /** It may be left out: not everything that a person does needs one to be understood. */
  optional?: boolean;
  kind?: "plain" | "main";
  /** Hears when the question is asked, and when it is left. */
  onOpen?: (isOpen: boolean) => void;
  /** What became of it meanwhile, while the question stands. */
  past?: string | undefined;
};

/** For what the record keeps a reason of. What was written stays when the dialog is left or what it asked for is refused, and goes when it is done. */
export function ReasonButton({ action, what, question, children, onReason, ...rest }: ReasonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const { unavailable, optional = false, kind = "plain", onOpen, past } = rest;
  const missing = !optional && isAsked && reason.trim() === "";
  const ask = () => {
    dialog.current?.showModal();
    onOpen?.(true);
  };
  return (
    <>
      <Button kind={kind} unavailable={unavailable} onClick={ask}>
        {action}
        <span className="sr-only"> {what}</span>
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        onClose={() => onOpen?.(false)}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-md border border-rule bg-panel p-6 text-left text-ink backdrop:bg-black/50"
      >
        <h2 id={titleId} className="anywhere text-lg font-semibold">
          {question}
        </h2>
        <div className="anywhere mt-3 mb-4 space-y-3 text-sm text-ink-soft">{children}</div>
        <output className="anywhere mb-4 block text-sm font-medium empty:hidden">{past}</output>
        <TextArea
          label="Reason"
          value={reason}
          onValue={setReason}
          hint={optional ? "The record keeps it. It may be left out." : "The record keeps it."}
          fault={missing ? "Say why." : undefined}
        />
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <CommandButton
            kind="main"
            onClick={() => {
              setAsked(true);
              if (!optional && reason.trim() === "") {
                dialog.current?.querySelector("textarea")?.focus();
                return;
              }
              dialog.current?.close();
              onReason(reason.trim(), {
                onSuccess: () => {
                  setReason("");
                  setAsked(false);
                },
              });
            }}
          >
            {action}
          </CommandButton>
        </div>
      </dialog>
    </>
  );
}
