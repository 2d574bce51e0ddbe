import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isTypedInto } from "../ui/typed-into.ts";
import type { Dialogs as LoadedDialogs } from "./dialogs.tsx";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const paletteKey = isApple ? "⌘K" : "Ctrl K";

/** ⌘K or Ctrl-K opens the palette wherever one is, and ? the sheet of keys where nothing is being written. */
export function Palette() {
  const goTo = useRef<HTMLDialogElement>(null);
  const sheet = useRef<HTMLDialogElement>(null);
  const [loaded, setLoaded] = useState<{ Dialogs: typeof LoadedDialogs; first: "goTo" | "sheet" }>();
  // They come with the first wish for one of them, which opens then: the shell has no room for them.
  const open = async (wanted: "goTo" | "sheet") => {
    const dialog = (wanted === "goTo" ? goTo : sheet).current;
    if (dialog !== null) {
      dialog.showModal();
      return;
    }
    try {
      const { Dialogs } = await import("./dialogs.tsx");
      setLoaded((before) => before ?? { Dialogs, first: wanted });
    } catch {
      // Without a connection nothing could be gone to; the next press tries again.
    }
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key.toLowerCase() === "k" &&
      (event.metaKey || event.ctrlKey) &&
      !event.altKey &&
      !event.shiftKey
    ) {
      event.preventDefault();
      if (goTo.current?.open === true) goTo.current.close();
      else if (document.querySelector("dialog[open]") === null) void open("goTo");
    } else if (event.key === "?" && !event.ctrlKey && !event.metaKey && !isTypedInto(event.target)) {
      event.preventDefault();
      void open("sheet");
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
        onClick={() => void open("goTo")}
        aria-keyshortcuts="Meta+K Control+K"
        className="inline-flex min-h-10 min-w-10 items-center max-sm:-ml-2 max-sm:min-w-8 justify-center gap-3 rounded-sm text-sm text-ink-soft hover:text-ink md:border md:border-rule md:bg-panel md:px-3 md:hover:border-track/60"
      >
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          className="size-4 md:hidden"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
        >
          <path d="M11 7A4.3 4.3 0 1 1 2.4 7 4.3 4.3 0 0 1 11 7ZM9.8 10.2 14 14.4" />
        </svg>
        <span className="max-md:sr-only">Go to…</span>
        <kbd className="max-md:hidden rounded-[3px] border border-track/45 px-1.5 font-mono text-xs">
          {paletteKey}
        </kbd>
      </button>
      {loaded !== undefined && <loaded.Dialogs {...{ goTo, sheet, paletteKey }} first={loaded.first} />}
    </>
  );
}
