import { type RefObject, useEffect } from "react";
import { GoTo } from "./go-to.tsx";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

type Dialog = RefObject<HTMLDialogElement | null>;
export type DialogsProps = {
  goTo: Dialog;
  sheet: Dialog;
  paletteKey: string;
  /** For which of them they were loaded. */
  first: "goTo" | "sheet";
};

export function Dialogs({ goTo, sheet, paletteKey, first }: DialogsProps) {
  useEffect(() => {
    const dialog = (first === "goTo" ? goTo : sheet).current;
    if (dialog?.open === false) dialog.showModal();
    // Once: from then on they are there, and whoever wants one opens it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <>
      <GoTo dialog={goTo} onSheet={() => sheet.current?.showModal()} />
      <ShortcutSheet dialog={sheet} paletteKey={paletteKey} />
    </>
  );
}
