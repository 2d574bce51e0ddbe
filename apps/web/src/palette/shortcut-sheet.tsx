import { type RefObject, useId } from "react";
import { Button } from "../ui/button.tsx";

export function ShortcutSheet({
  dialog,
  paletteKey,
}: {
  dialog: RefObject<HTMLDialogElement | null>;
  paletteKey: string;
}) {
  const titleId = useId();
  const keys = [
    { keys: [paletteKey], does: "Go to a page, a task, a pack or an id" },
    { keys: ["?"], does: "This sheet" },
    { keys: ["j", "k"], does: "The next and the previous row of a list" },
    { keys: ["Enter"], does: "Open the row" },
    { keys: ["Tab", "Shift Tab"], does: "The next and the previous control" },
    { keys: ["Escape"], does: "Leave a dialog; the focus goes back to where it was" },
  ];
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-auto w-[min(32rem,calc(100%-2rem))] rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
    >
      <h2 id={titleId} className="text-lg font-semibold">
        Keys
      </h2>
      <dl className="mt-4">
        {keys.map((row) => (
          <div
            key={row.does}
            className="grid grid-cols-[9rem_minmax(0,1fr)] gap-4 border-b border-rule/70 py-2.5 text-sm last:border-b-0"
          >
            <dt className="flex flex-wrap gap-1.5">
              {row.keys.map((name) => (
                <kbd key={name} className="rounded-[3px] border border-track/45 px-1.5 font-mono text-xs">
                  {name}
                </kbd>
              ))}
            </dt>
            <dd>{row.does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex justify-end">
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </div>
    </dialog>
  );
}
