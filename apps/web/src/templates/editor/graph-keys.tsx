const keys = [
  ["← → ↑ ↓", "to the next block along a line or a column; J and K in the order of the document"],
  ["Enter", "choose the block"],
  ["C", "draw a line from the block, then Enter where it leads"],
  ["N", "a new stage after the block"],
  ["Alt ↑ ↓", "move the block within its column"],
  ["Delete", "take the stage out"],
  ["Ctrl Z", "undo; with Shift, redo"],
] as const;

export function GraphKeys() {
  return (
    <details className="text-sm text-ink-soft">
      <summary className="min-h-9 content-center font-medium">Pointer and keys</summary>
      <p className="max-w-prose">
        Drag from a port to another block to connect, or to nothing for a new stage. Drag a block up or down
        to change the order of its column.
      </p>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="font-mono text-xs text-ink">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
