import { useEffect, useEffectEvent, useRef } from "react";
import { isTypedInto } from "../ui/typed-into.ts";
import { GoTo } from "./go-to.tsx";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const paletteKey = isApple ? "⌘K" : "Ctrl K";

/** ⌘K or Ctrl-K opens the palette wherever one is, and ? the sheet of keys where nothing is being written. */
export function Palette() {
  const goTo = useRef<HTMLDialogElement>(null);
  const sheet = useRef<HTMLDialogElement>(null);
  const open = () => goTo.current?.showModal();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key.toLowerCase() === "k" &&
      (event.metaKey || event.ctrlKey) &&
      !event.altKey &&
      !event.shiftKey
    ) {
      event.preventDefault();
      if (goTo.current?.open === true) goTo.current.close();
      else if (document.querySelector("dialog[open]") === null) open();
    } else if (event.key === "?" && !event.ctrlKey && !event.metaKey && !isTypedInto(event.target)) {
      event.preventDefault();
      sheet.current?.showModal();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);

  return (
    <>
      <button
        type="button"
        onClick={open}
        aria-keyshortcuts="Meta+K Control+K"
        className="hidden min-h-10 items-center gap-3 rounded-sm border border-rule bg-panel px-3 text-sm text-ink-soft hover:border-track/60 hover:text-ink md:inline-flex"
      >
        Go to…
        <kbd className="rounded-[3px] border border-track/45 px-1.5 font-mono text-xs">{paletteKey}</kbd>
      </button>
      <GoTo dialog={goTo} onSheet={() => sheet.current?.showModal()} />
      <ShortcutSheet dialog={sheet} paletteKey={paletteKey} />
    </>
  );
}
