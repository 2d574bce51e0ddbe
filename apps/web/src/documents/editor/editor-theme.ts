import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { markOf } from "../../drawn/plainly.ts";

/** The panel's own colours: they change with the theme by themselves. */
const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: "0.8125rem", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace', lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.75rem 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    color: "var(--ink-soft)",
    backgroundColor: "var(--recess)",
    borderRight: "1px solid var(--rule)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklch, var(--recess) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--rule)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklch, var(--focus) 28%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--recess)" },
  ".cm-panels, .cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--track)",
    fontFamily: '"Inter Variable", system-ui, sans-serif',
  },
  ".cm-tooltip-autocomplete > ul > li": {
    fontFamily: '"JetBrains Mono Variable", monospace',
    padding: "3px 8px",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--plate)",
    color: "var(--plate-ink)",
  },
  ".cm-completionDetail": { fontStyle: "normal", color: "inherit", opacity: "0.85" },
  ".cm-diagnostic": { padding: "0.4rem 0.75rem", borderLeft: "4px solid var(--danger-rule)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--caution-rule)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger-rule) 1.5px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--caution-rule) 1.5px",
  },
  /* The library draws these by a picture in a data: URL; the panel's lamps are dots. */
  ".cm-lint-marker": { content: "none", width: "0.7em", height: "0.7em", borderRadius: "50%" },
  ".cm-lint-marker-error": { backgroundColor: "var(--danger-rule)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--caution-rule)", borderRadius: "0" },
  ".cm-textfield, .cm-button": {
    color: "var(--ink)",
    backgroundColor: "var(--enamel)",
    backgroundImage: "none",
    border: "1px solid var(--track)",
  },
  ".cm-deletedChunk, &.cm-merge-a .cm-changedLine": {
    backgroundColor: "color-mix(in oklch, var(--danger-rule) 10%, transparent)",
  },
  "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": {
    backgroundColor: "color-mix(in oklch, var(--lamp-clear) 12%, transparent)",
  },
  /* A line under what differs: a second tint would take the contrast from the letters. */
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "none",
    borderBottom: "2px solid var(--danger-rule)",
  },
  "&.cm-merge-b .cm-changedText": {
    background: "none",
    borderBottom: "2px solid var(--lamp-clear)",
  },
  ".cm-specialChar": { color: "var(--ink)", backgroundColor: "var(--recess)", fontWeight: "600" },
  ".cm-changeGutter": { width: "4px", paddingLeft: "0" },
  "&.cm-merge-a .cm-changedLineGutter": { background: "var(--danger-rule)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--lamp-clear)" },
  /* The library's own sign is in none of our fonts. */
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…"' },
  ".cm-collapsedLines": {
    color: "var(--ink-soft)",
    background: "var(--recess)",
    padding: "0.25rem 0.75rem",
    fontFamily: '"Inter Variable", system-ui, sans-serif',
  },
});

/** Weight and slant, and few colours: green, amber and red belong to the lamps. */
const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], fontWeight: "600" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.number, tags.bool, tags.null, tags.atom], color: "var(--focus)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--ink-soft)" },
]);

/** As everywhere in the pages: who reads a text before they publish it reads what is there. The library leaves some of these out. */
const controls = highlightSpecialChars({
  addSpecialChars: /[\u202A-\u202C\u2068]/u,
  render(code) {
    const mark = document.createElement("span");
    mark.className = "cm-specialChar";
    mark.textContent = markOf(String.fromCodePoint(code));
    return mark;
  },
});

export const looks = [theme, syntaxHighlighting(highlight), controls];
