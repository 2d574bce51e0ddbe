import { useDeferredValue, useLayoutEffect, useMemo, useReducer, useState } from "react";
import { beginHistory, type History, record, redo, settle, undo } from "../edit-history.ts";
import type { Edited } from "../edit-template.ts";
import type { ReadText } from "../stage-place.ts";
import { readTemplates, type Templates } from "../template-graph.ts";
import { readText, type TextFault } from "../template-text.ts";

/** Applies an edit, and says what was done; refused, it gives the words. */
export type Apply = (edit: (text: string) => Edited, said: string) => string | undefined;

type Action = { text: string; typed: boolean } | "undo" | "redo" | "settle";

function step(history: History, action: Action): History {
  if (action === "undo") return undo(history);
  if (action === "redo") return redo(history);
  if (action === "settle") return settle(history);
  return record(history, action.text, action.typed);
}

/** Typing that rests as long is a step of its own. */
const PAUSE_MS = 800;

/**
 * The one text that graph, forms and YAML are views of. While it cannot be read, the graph stays at what could be read
 * last.
 */
export function useTemplateText(initial: string) {
  const [history, dispatch] = useReducer(step, initial, beginHistory);
  const [said, setSaid] = useState("");
  const { text } = history;
  // Keys must not wait for the graph; an edit of the graph shows at once, and takes the focus along.
  const deferred = useDeferredValue(text);
  const readable = useReadable(history.typing ? deferred : text);

  // They stay the same, so that forms and graph are not drawn again with each letter.
  const [{ acts, remember }] = useState(() => actsOn(history, dispatch, setSaid));
  useLayoutEffect(() => remember(history), [remember, history]);
  return {
    text,
    ...readable,
    said,
    acts,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}

export type TextActs = {
  readonly apply: Apply;
  readonly type: (typed: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly say: (words: string) => void;
};

function actsOn(
  first: History,
  dispatch: (action: Action) => void,
  say: (words: string) => void,
): { acts: TextActs; remember: (history: History) => void } {
  let latest = first;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const acts: TextActs = {
    say,
    apply: (edit, words) => {
      const result = edit(latest.text);
      say(result.kind === "refused" ? result.reason : words);
      if (result.kind === "refused") return result.reason;
      dispatch({ text: result.text, typed: false });
      return undefined;
    },
    type: (typed) => {
      dispatch({ text: typed, typed: true });
      clearTimeout(resting);
      resting = setTimeout(() => dispatch("settle"), PAUSE_MS);
    },
    undo: () => {
      say(latest.past.length > 0 ? "Undone." : "There is nothing to undo.");
      dispatch("undo");
    },
    redo: () => {
      say(latest.future.length > 0 ? "Done again." : "There is nothing to do again.");
      dispatch("redo");
    },
  };
  return {
    acts,
    remember: (history) => {
      latest = history;
    },
  };
}

type Readable = {
  templates: Templates;
  unreadable: TextFault | undefined;
  /** The text with its nodes, while it can be read. */
  read: ReadText | undefined;
};

const nothing: Templates = { version: "", templates: [] };

function useReadable(text: string): Readable {
  const { templates, unreadable, read } = useMemo(() => {
    const opened = readText(text);
    return opened.kind === "open"
      ? {
          templates: readTemplates(opened.value),
          unreadable: undefined,
          read: { text, document: opened.document },
        }
      : { templates: undefined, unreadable: opened.fault, read: undefined };
  }, [text]);
  const [last, setLast] = useState(templates ?? nothing);
  if (templates !== undefined && templates !== last) setLast(templates);
  return { templates: templates ?? last, unreadable, read };
}
