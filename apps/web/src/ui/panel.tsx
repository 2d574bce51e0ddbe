import { useId, type ReactNode } from "react";

type PanelProps = { heading: string; children: ReactNode; aside?: ReactNode };

/** A part of a page, under its name and a line that runs on to the edge. */
export function Panel({ heading, children, aside }: PanelProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <header className="mb-5 flex items-center gap-4">
        <h2 id={headingId} className="text-base font-semibold">
          {heading}
        </h2>
        <span aria-hidden="true" className="h-px flex-1 bg-rule" />
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A name and its value, one under the other on a narrow screen. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-1 border-b border-rule/70 py-3 first:pt-0 last:border-b-0 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="anywhere text-sm">{children}</dd>
    </div>
  );
}
