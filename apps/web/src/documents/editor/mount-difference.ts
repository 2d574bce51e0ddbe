import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { marked } from "../../drawn/plainly.ts";
import { looks } from "./editor-theme.ts";
import { shadowOf } from "./mount-editor.ts";

export type Side = { readonly label: string; readonly text: string };

const collapseUnchanged = { margin: 3, minSize: 6 };

const reading = (label: string) => [
  lineNumbers(),
  yaml(),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
  looks,
];

/** One text under the other's changes: what a person reads before they publish. Read only. */
export function mountDifference(host: HTMLElement, before: Side, after: Side): () => void {
  const root = shadowOf(host);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: marked(after.text),
      extensions: [
        ...reading(`${after.label}, beside ${before.label}`),
        unifiedMergeView({
          // Lines that are gone are drawn by the library itself, past all extensions.
          original: marked(before.text),
          mergeControls: false,
          highlightChanges: true,
          collapseUnchanged,
        }),
      ],
    }),
  });
  return () => view.destroy();
}

/** Theirs on the left; on the right one's own, which takes over from the left what is pointed at, and can be written in. */
export function mountMerge(
  host: HTMLElement,
  theirs: Side,
  mine: Side,
  onText: (text: string) => void,
): () => void {
  const root = shadowOf(host);
  const view = new MergeView({
    root,
    parent: root,
    a: { doc: theirs.text, extensions: reading(theirs.label) },
    b: {
      doc: mine.text,
      extensions: [
        lineNumbers(),
        yaml(),
        EditorView.lineWrapping,
        history(),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ "aria-label": mine.label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onText(update.state.doc.toString());
        }),
        looks,
      ],
    },
    revertControls: "a-to-b",
    renderRevertControl() {
      const button = document.createElement("button");
      button.setAttribute("aria-label", "Take theirs here");
      button.title = "Take theirs here";
      button.textContent = "→";
      return button;
    },
    highlightChanges: true,
    gutter: true,
    collapseUnchanged,
  });
  return () => view.destroy();
}
