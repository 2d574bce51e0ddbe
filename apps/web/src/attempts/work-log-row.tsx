import type { ReactNode } from "react";
import type { ToolState, WorkRow } from "./fold-work.ts";
import { LongText, Marked } from "./marked.tsx";
import { timeTaken } from "./time-taken.ts";

/** One row of the log. Its height is its content's: a long line is wrapped and never cut. */
export function WorkLogRow({ row, atWork }: { row: WorkRow; atWork: boolean }) {
  switch (row.kind) {
    case "turn":
      return (
        <div className="flex items-center gap-4 py-3 text-sm font-semibold">
          Turn {row.turnIndex}
          <span aria-hidden="true" className="h-px flex-1 bg-rule" />
        </div>
      );
    case "thought":
      return (
        <Row sign="Thought">
          <LongText text={row.open && atWork ? `${row.text} …` : row.text} what="the thought" />
        </Row>
      );
    case "tool":
      return <ToolRow row={row} />;
    case "line":
      return (
        <p className="log-line anywhere">
          <Marked text={row.text === "" ? " " : row.text} />
          {row.masked && !row.text.includes("[redacted:") && (
            <span className="text-ink-soft"> (masked by the agent)</span>
          )}
        </p>
      );
    case "step":
      return (
        <Row sign="Step">
          {row.from} → {row.to}
          {row.commit !== "" && <code className="anywhere font-mono text-xs">{row.commit}</code>}
        </Row>
      );
  }
}

const Row = ({ sign, children }: { sign: string; children: ReactNode }) => (
  <div className="told-row py-2 text-sm">
    <span className="text-ink-soft">{sign}</span>
    <div className="min-w-0">{children}</div>
  </div>
);

const words: Record<ToolState, string> = {
  "at work": "at work",
  success: "done",
  failure: "failed",
  timeout: "timed out",
  unknown: "ended",
};

function ToolRow({ row: { tool, given, state, durationMs } }: { row: Extract<WorkRow, { kind: "tool" }> }) {
  const said = given === undefined ? "" : JSON.stringify(given, null, 2);
  const head = (
    <span className="inline-flex flex-wrap gap-x-3">
      <code className="anywhere font-mono text-xs font-semibold">
        <Marked text={tool} />
      </code>
      <span className={state === "failure" || state === "timeout" ? "font-semibold" : "text-ink-soft"}>
        {words[state]}
      </span>
      {durationMs !== null && (
        <span className="tabular-nums">
          {timeTaken(durationMs)} <span className="text-ink-soft">by the agent’s clock</span>
        </span>
      )}
    </span>
  );
  return (
    <Row sign="Tool">
      {said === "" || said === "{}" ? (
        head
      ) : (
        <details>
          <summary>{head}</summary>
          <pre className="anywhere mt-2 rounded-sm border border-rule bg-recess p-4 font-mono text-xs whitespace-pre-wrap">
            <Marked text={said} />
          </pre>
        </details>
      )}
    </Row>
  );
}
