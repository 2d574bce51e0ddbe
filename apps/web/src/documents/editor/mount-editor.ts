import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { indentUnit } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Completions } from "../completions.ts";
import { looks } from "./editor-theme.ts";

/** A fault or a finding by its place, as the server counts: from 1, columns in UTF-16 units. */
export type Mark = {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: "error" | "warning";
};

type EditorOptions = {
  readonly text: string;
  readonly label: string;
  readonly readOnly: boolean;
  readonly onText: (text: string) => void;
  readonly complete: (text: string, offset: number) => Completions | undefined;
};

export type MountedEditor = {
  setText(text: string): void;
  setMarks(marks: readonly Mark[]): void;
  goTo(place: { line: number; column: number }): void;
  /** Scrolls the editor there, and nothing else: who works elsewhere sees what belongs to it. */
  show(place: { line: number; column: number }): void;
  destroy(): void;
};

/**
 * In a shadow root: there the library's styles are an adopted sheet, which a content security policy without
 * 'unsafe-inline' lets through; in the document itself they would be an inline style element.
 */
export const shadowOf = (host: HTMLElement): ShadowRoot =>
  host.shadowRoot ?? host.attachShadow({ mode: "open" });

export function mountEditor(host: HTMLElement, options: EditorOptions): MountedEditor {
  const root = shadowOf(host);
  const source = (context: CompletionContext) => {
    const found = options.complete(context.state.doc.toString(), context.pos);
    if (found === undefined || (!context.explicit && found.from === context.pos)) return null;
    return { from: found.from, options: [...found.options], validFor: /^[^\s,[\]{}"']*$/ };
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        history(),
        yaml(),
        indentUnit.of("  "),
        autocompletion({ override: [source], icons: false }),
        // Tab leaves the editor, as it leaves every field; only an open list of completions takes it.
        keymap.of([
          { key: "Tab", run: acceptCompletion },
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorState.readOnly.of(options.readOnly),
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          const isOwn = update.transactions.some((one) => one.annotation(fromPage) === true);
          if (update.docChanged && !isOwn) options.onText(update.state.doc.toString());
        }),
        looks,
      ],
    }),
  });
  return {
    setText: (text) => replace(view, text),
    setMarks: (marks) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          marks.map((mark) => diagnosticOf(view.state.doc, mark)),
        ),
      ),
    goTo(place) {
      const anchor = offsetOf(view.state.doc, place);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    show(place) {
      // Whoever writes in it is at a place of their own.
      if (view.hasFocus) return;
      const anchor = offsetOf(view.state.doc, place);
      view.dispatch({ selection: { anchor } });
      // Within the editor's own measuring: scrolled beside it, it would begin anew with heights that it has only guessed.
      view.requestMeasure({
        key: root,
        read: () => {
          const { top, height } = view.lineBlockAt(anchor);
          return top - (view.scrollDOM.clientHeight - height) / 2;
        },
        write: (top) => {
          view.scrollDOM.scrollTop = top;
        },
      });
    },
    destroy: () => view.destroy(),
  };
}

/** What the page has set need not be told to it. */
const fromPage = Annotation.define<boolean>();

/** Only what differs, so that the cursor stays where it was and undoing takes back what the form did, too. */
function replace(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (before === text) return;
  let from = 0;
  while (from < before.length && from < text.length && before[from] === text[from]) from += 1;
  let [to, end] = [before.length, text.length];
  while (to > from && end > from && before[to - 1] === text[end - 1]) {
    to -= 1;
    end -= 1;
  }
  view.dispatch({
    changes: { from, to, insert: text.slice(from, end) },
    annotations: fromPage.of(true),
  });
}

function offsetOf(text: Text, { line, column }: { line: number; column: number }): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  return Math.min(found.from + Math.max(column - 1, 0), found.to);
}

function diagnosticOf(text: Text, mark: Mark): Diagnostic {
  const from = offsetOf(text, mark);
  const { to } = text.lineAt(from);
  const word = /^[^\s,\]}]+/.exec(text.sliceString(from, to))?.[0].length ?? 0;
  return { from, to: from + word, severity: mark.severity, message: mark.message };
}
