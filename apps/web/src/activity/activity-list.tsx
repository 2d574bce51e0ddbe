import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Lamp } from "../ui/signal.tsx";
import type { ActivityRead, Measured } from "./activity-queries.ts";
import {
  isUnwelcome,
  measureWords,
  peakInWords,
  type Spans,
  spanInWords,
  totalInWords,
} from "./activity-words.ts";

/** A measure a row: how many, the spans as bars, and the way to the entries that were counted. */
export function ActivityList({ of, canReadRecord }: { of: ActivityRead; canReadRecord: boolean }) {
  const since = new Date(of.from).toISOString();
  return (
    <>
      <ul aria-label="What happened" className="board divide-y divide-rule/70">
        {of.activity.map((measured) => (
          <li
            key={measured.measure}
            className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-2 sm:grid-cols-[14rem_8rem_minmax(0,1fr)] sm:px-6"
          >
            <span className="flex items-center gap-3 text-sm font-medium">
              <Name of={measured} since={since} canReadRecord={canReadRecord} />
              {isUnwelcome(measured) && <Lamp aspect="caution" />}
            </span>
            <span className="text-right text-sm tabular-nums">{totalInWords(measured)}</span>
            <Bars of={measured} spans={of} />
            <span className="sr-only">{peakInWords(measured, of)}</span>
          </li>
        ))}
      </ul>
      <p aria-hidden="true" className="mt-2 flex justify-between px-4 text-xs text-ink-soft sm:px-6">
        <span className="sm:ml-[25rem]">{spanInWords(of, 0, of.count)}</span>
        <span>now</span>
      </p>
    </>
  );
}

type NameProps = { of: Measured; since: string; canReadRecord: boolean };

function Name({ of, since, canReadRecord }: NameProps) {
  const { name, events } = measureWords[of.measure];
  const [eventType] = events;
  if (!canReadRecord || of.total === 0 || eventType === undefined) return <span>{name}</span>;
  return (
    <Link {...paths.audit({ eventType, from: since })} className="underline underline-offset-4">
      {name}
    </Link>
  );
}

const WIDE = 600;
const HIGH = 32;

function Bars({ of: { counts }, spans }: { of: Measured; spans: Spans }) {
  const most = Math.max(1, ...counts);
  const step = WIDE / counts.length;
  const bars = counts.map((count, span) => ({
    begins: spans.from + span * spans.stepMs,
    x: span * step + 1,
    height: (count / most) * HIGH,
    says: `${count.toLocaleString("en")} from ${spanInWords(spans, span, counts.length)}`,
  }));
  return (
    // A picture has a width of its own, which would widen the row: out of the flow it has none.
    <div
      className={`relative col-span-2 h-8 sm:col-span-1 ${counts.some((count) => count > 0) ? "" : "max-sm:hidden"}`}
    >
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDE} ${HIGH + 1}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <line x1="0" x2={WIDE} y1={HIGH} y2={HIGH} stroke="var(--rule)" vectorEffect="non-scaling-stroke" />
        {bars.map(({ begins, x, height, says }) => (
          <rect key={begins} x={x} width={step - 2} y={HIGH - height} height={height} fill="var(--track)">
            <title>{says}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}
