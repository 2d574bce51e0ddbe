/** Drawn in ink: a mark that showed a signal's colour would claim something about the system. */
export function Brand() {
  return (
    <span className="flex items-center gap-2.5 font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6 shrink-0 fill-ink">
        <circle cx="16" cy="16" r="14.5" className="fill-none stroke-ink" strokeWidth="2" />
        <circle cx="16" cy="8" r="3" />
        <circle cx="16" cy="16" r="3" />
        <circle cx="16" cy="24" r="3" />
      </svg>
      Signalbox
    </span>
  );
}
