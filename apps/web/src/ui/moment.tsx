const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A moment in the reader's own time zone; the exact one, in UTC, is in the element. */
export function Moment({ at, exact = false }: { at: string; exact?: boolean }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={date.toISOString()}>
      {(exact ? full : short).format(date)}
    </time>
  );
}
