import { useEffect, useId, useRef } from "react";
import { Button } from "../ui/button.tsx";

export function LeaveDialog(props: { isOpen: boolean; onStay: () => void; onLeave: () => void }) {
  const { isOpen, onStay, onLeave } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
    >
      <h2 id={titleId} className="text-lg font-semibold">
        Leave without saving?
      </h2>
      <p className="mt-3 text-sm text-ink-soft">What you wrote since you saved last is thrown away.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={onLeave}>Throw it away</Button>
        <Button kind="main" onClick={onStay}>
          Stay
        </Button>
      </div>
    </dialog>
  );
}
