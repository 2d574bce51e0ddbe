import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { Lamp, Signal } from "../ui/signal.tsx";
import type { Attempt, Gate } from "./attempt-queries.ts";
import { nameInWords } from "./attempt-words.ts";
import { Marked } from "./marked.tsx";

const standings: Record<Gate["standing"], { aspect: "clear" | "caution" | "danger"; word: string }> = {
  passed: { aspect: "clear", word: "Passed" },
  "passed-by-person": { aspect: "clear", word: "Let through by a person" },
  failed: { aspect: "danger", word: "Failed" },
  rejected: { aspect: "danger", word: "Sent back to an earlier stage" },
  asked: { aspect: "caution", word: "A person is asked" },
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What each check looks at (D14), for who reads it the first time. */
const asks: Readonly<Record<string, string>> = {
  evidence: "A success carries evidence that passed",
  tests: "The tests that the contract names were run and passed",
  static: "Lint and type checks that the contract names passed",
  build: "The build that the contract names passed",
  scope: "Only expected files, within the size, no undeclared breaking change",
  safety: "No prohibited action, denied tool, secret or security flag",
};

/** The gate's judgement of an attempt: six checks, each with what it rests on, and what came of it. */
export function GatePanel({ attempt: { gate, result, atWork } }: { attempt: Attempt }) {
  if (gate === null)
    return (
      <Panel heading="Gate">
        <Notice aspect="unlit" title="No gate has judged this attempt">
          <p>
            {atWork
              ? "The gate judges a result once it has come."
              : result === null
                ? "No result came that it could judge."
                : "The agent’s own outcome decided: a failure leaves the gate nothing to judge."}
          </p>
        </Notice>
      </Panel>
    );
  const { aspect, word } = standings[gate.standing];
  const failed = gate.checks.filter(({ passed }) => !passed).length;
  return (
    <Panel heading="Gate" aside={<Signal aspect={aspect} word={word} size="small" />}>
      <ul aria-label="Checks" className="board divide-y divide-rule/70">
        {gate.checks.map((check) => (
          <li key={check.name} className="check-row">
            <Lamp aspect={check.passed ? "clear" : "danger"} size="small" />
            <p className="text-sm font-semibold">
              {check.name}
              <span className="block font-normal text-ink-soft">{check.passed ? "passed" : "failed"}</span>
            </p>
            <div className="min-w-0 text-sm">
              <p className="anywhere">
                <Marked text={check.evidence || "It says nothing of what it rests on."} />
              </p>
              <p className="mt-1 text-xs text-ink-soft">{asks[check.name]}</p>
            </div>
          </li>
        ))}
      </ul>
      <dl className="mt-5">
        <Fact name="Checks">
          {failed === 0 ? `all ${gate.checks.length} passed` : `${failed} of ${gate.checks.length} failed`}
        </Fact>
        <Fact name="Risk tier">{nameInWords(gate.tier)}</Fact>
        <Fact name="Decided">
          <span className="font-mono text-xs">{gate.decidedBy.id}</span> ·{" "}
          <Moment at={gate.recordedAt} exact />
        </Fact>
        <Fact name="Because">
          <Marked text={gate.rejectReason || gate.rationale} />
        </Fact>
        {gate.rewindTargetStage !== "" && (
          <Fact name="Went back to">
            <span className="font-mono text-xs">{gate.rewindTargetStage}</span>
          </Fact>
        )}
        {gate.standing !== "asked" && (
          <Fact name="Left">
            {counted(gate.stageRetriesLeft, "retry", "retries")} of the stage, {gate.pipelineRetriesLeft} of
            the pipeline, {counted(gate.rejectionsLeft, "rejection", "rejections")}
          </Fact>
        )}
      </dl>
    </Panel>
  );
}
