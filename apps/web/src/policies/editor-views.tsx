const views = {
  form: "Form",
  yaml: "YAML",
  difference: "Beside the one in force",
  simulation: "On past dispatches",
} as const;
export type EditorView = keyof typeof views;
const isView = (name: string): name is EditorView => Object.hasOwn(views, name);

/** The ways to look at the one text; what is written in one is in all. */
export function EditorViews({ view, onView }: { view: EditorView; onView: (view: EditorView) => void }) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-x-6 border-b border-rule">
      <legend className="sr-only">Views</legend>
      {Object.keys(views)
        .filter(isView)
        .map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view === name}
            className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-ink-soft hover:text-ink aria-pressed:border-ink aria-pressed:font-semibold aria-pressed:text-ink"
            onClick={() => onView(name)}
          >
            {views[name]}
          </button>
        ))}
    </fieldset>
  );
}
