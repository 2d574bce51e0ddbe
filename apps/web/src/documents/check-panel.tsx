import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { type Aspect, Lamp } from "../ui/signal.tsx";
import type { DocumentFault, DocumentFinding } from "./document-queries.ts";
import type { CheckState } from "./use-check.ts";

type Place = { line: number; column: number };

/** What the server says of the text as it stands, each fault a way to its place. */
export function CheckPanel({
  state,
  text,
  onPlace,
}: {
  state: CheckState;
  text: string;
  onPlace: (place: Place) => void;
}) {
  if (state.kind === "failed") return <ProblemNotice problem={problemOf(state.error)} />;
  const isOld = state.kind === "asking" || state.text !== text;
  const faults = state.kind === "told" ? state.check.faults : [];
  const findings = state.kind === "told" ? state.check.findings : [];
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  return (
    <div className="grid gap-3" aria-busy={isOld}>
      <output className="flex items-center gap-3 text-sm font-medium">
        <Lamp aspect={isOld ? "unlit" : aspectOf(faults.length, warnings)} size="small" />
        {isOld ? "Being checked…" : headline(faults.length, warnings)}
      </output>
      {faults.length > 0 && (
        <ul aria-label="Faults" className="divide-y divide-rule/70 rounded-sm border border-rule bg-panel">
          {faults.map((fault) => (
            <li key={`${fault.line}:${fault.column} ${fault.rule} ${fault.message}`}>
              <FaultRow fault={fault} onPlace={onPlace} />
            </li>
          ))}
        </ul>
      )}
      {findings.length > 0 && (
        <ul
          aria-label="What it leaves open"
          className="divide-y divide-rule/70 rounded-sm border border-rule bg-panel"
        >
          {findings.map((finding) => (
            <li key={`${finding.path} ${finding.message}`}>
              <FindingRow finding={finding} onPlace={onPlace} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const aspectOf = (faults: number, warnings: number): Aspect => {
  if (faults > 0) return "danger";
  return warnings > 0 ? "caution" : "clear";
};

const headline = (faults: number, warnings: number): string => {
  if (faults === 0 && warnings === 0) return "No faults";
  if (faults === 0)
    return warnings === 1 ? "No faults; one thing to look at" : `No faults; ${warnings} things to look at`;
  return faults === 1
    ? "One fault; it cannot be kept like this"
    : `${faults} faults; it cannot be kept like this`;
};

/** Found by dispatch's own decision: each is an example that would come out so. */
function FindingRow({ finding, onPlace }: { finding: DocumentFinding; onPlace: (place: Place) => void }) {
  const { line, column, severity, message } = finding;
  return (
    <button
      type="button"
      className="grid w-full grid-cols-[4rem_minmax(0,1fr)] gap-3 px-4 py-2.5 text-left text-sm hover:bg-recess"
      onClick={() => onPlace({ line, column })}
    >
      <span className="font-mono text-xs text-ink-soft tabular-nums">
        {line}:{column}
      </span>
      <span className={severity === "note" ? "anywhere text-ink-soft" : "anywhere"}>
        <span className="font-medium">{severity === "note" ? "Note: " : "Look at this: "}</span>
        {message}
      </span>
    </button>
  );
}

function FaultRow({ fault, onPlace }: { fault: DocumentFault; onPlace: (place: Place) => void }) {
  return (
    <button
      type="button"
      className="grid w-full grid-cols-[4rem_minmax(0,1fr)] gap-3 px-4 py-2.5 text-left text-sm hover:bg-recess"
      onClick={() => onPlace({ line: fault.line, column: fault.column })}
    >
      <span className="font-mono text-xs text-ink-soft tabular-nums">
        {fault.line}:{fault.column}
      </span>
      <span className="anywhere">
        {fault.path !== "" && <code className="font-mono text-xs font-semibold">{fault.path} </code>}
        {fault.message}
      </span>
    </button>
  );
}
