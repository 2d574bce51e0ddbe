import { useRowIds } from "../../ui/use-row-ids.ts";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

type EntryCardProps = {
  /** What it is and which: read out as the group's name and with its button. */
  named: string;
  fault: string | undefined;
  onRemove: () => void;
  children: ReactNode;
};

/** One entry of a section's list. */
export function EntryCard({ named, fault, onRemove, children }: EntryCardProps) {
  return (
    <fieldset className="board grid min-w-0 gap-5 px-5 pt-3 pb-5">
      <legend className="sr-only">{named}</legend>
      {fault !== undefined && (
        <p role="alert" className="anywhere text-sm">
          {fault}
        </p>
      )}
      {children}
      <div>
        <Button onClick={onRemove}>
          Remove<span className="sr-only"> {named}</span>
        </Button>
      </div>
    </fieldset>
  );
}

/** Entries have no name but their place: their names are being typed. */
export function Entries<Entry>({
  label,
  entries,
  none,
  children,
}: {
  label: string;
  entries: readonly Entry[];
  none: string;
  children: (entry: Entry, index: number) => ReactNode;
}) {
  const ids = useRowIds(entries);
  if (entries.length === 0) return <p className="text-sm text-ink-soft">{none}</p>;
  return (
    <ol aria-label={label} className="grid gap-4">
      {entries.map((entry, index) => (
        <li key={ids[index]} className="min-w-0">
          {children(entry, index)}
        </li>
      ))}
    </ol>
  );
}

/** A list within a section, under its name and beside what adds to it. */
export function Part({ heading, add, children }: { heading: string; add: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{heading}</h3>
        {add}
      </div>
      {children}
    </div>
  );
}
