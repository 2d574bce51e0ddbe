import type { ReactNode } from "react";
import { CodeBlock } from "../ui/code-block.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { Lamp } from "../ui/signal.tsx";
import type { Attempt } from "./attempt-queries.ts";
import { nameInWords } from "./attempt-words.ts";
import { type Fields, fieldsOf, isGiven, listOf, textOf } from "./json-fields.ts";
import { LongText, Marked } from "./marked.tsx";

/** What the agent answered: its claim, its proof, and what it left behind. */
export function ResultPanel({ attempt: { result, receivedAt, standing, atWork } }: { attempt: Attempt }) {
  if (result === null)
    return (
      <Panel heading="Result">
        <Notice
          aspect="unlit"
          title={atWork ? "No result has come yet" : "This attempt ended without a result"}
        />
      </Panel>
    );
  const said = fieldsOf(result);
  const status = fieldsOf(said.status);
  const failure = [textOf(status.failureCode), textOf(status.failureReason)].filter((text) => text !== "");
  return (
    <>
      <Panel heading="Result">
        <dl>
          <Fact name="Outcome">
            {nameInWords(textOf(status.outcome), "OUTCOME_") || "none named"},{" "}
            {nameInWords(textOf(status.confidence), "CONFIDENCE_") || "confidence not named"}
          </Fact>
          {textOf(status.summary) !== "" && (
            <Fact name="Summary">
              <LongText text={textOf(status.summary)} what="the summary" />
            </Fact>
          )}
          {failure.length > 0 && (
            <Fact name="Failure">
              <Marked text={failure.join(": ")} />
            </Fact>
          )}
          <Fact name="Received">
            {receivedAt === null ? "not stated" : <Moment at={receivedAt} exact />}
            {standing !== "counted" && `, kept as ${standing}`}
          </Fact>
          {isGiven(said.linesChanged) && <Fact name="Lines changed">{String(said.linesChanged)}</Fact>}
          {listOf(said.blockers).map((blocker) => (
            <Fact key={JSON.stringify(blocker)} name="Blocker">
              <Marked text={textOf(fieldsOf(blocker).description)} />
            </Fact>
          ))}
        </dl>
      </Panel>
      {isGiven(said.response) && <AnswerPanel response={fieldsOf(said.response)} />}
      <EvidencePanel evidence={fieldsOf(said.evidence)} />
      <ArtifactPanel artifacts={listOf(said.artifacts).map(fieldsOf)} />
    </>
  );
}

/** A structured answer (SACP): its thought is for people, its data for later stages. */
function AnswerPanel({ response }: { response: Fields }) {
  return (
    <Panel heading="Answer">
      <dl>
        <Fact name="Status">{nameInWords(textOf(response.status))}</Fact>
        {["message", "thought", "nextStepHint"].map((name) =>
          textOf(response[name]) === "" ? null : (
            <Fact
              key={name}
              name={name === "nextStepHint" ? "Next step" : name === "thought" ? "Thought" : "Message"}
            >
              <LongText text={textOf(response[name])} what={`the answer’s ${name}`} />
            </Fact>
          ),
        )}
      </dl>
    </Panel>
  );
}

function EvidencePanel({ evidence }: { evidence: Fields }) {
  const items = listOf(fieldsOf(evidence.items).items).map(fieldsOf);
  const none = textOf(evidence.noneWithReason);
  return (
    <Panel heading="Evidence">
      {items.length === 0 ? (
        <Soft>{none === "" ? "The result carries none." : <Marked text={`None: ${none}`} />}</Soft>
      ) : (
        <ul className="grid gap-3">
          {items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two runs of one command may read alike, and none ever moves
            <li key={index} className="board min-w-0">
              <details>
                <summary className="min-h-11 content-center px-4 py-2 text-sm">
                  <span className="inline-flex w-[calc(100%-2rem)] align-top flex-wrap items-center gap-x-3 gap-y-1">
                    <Lamp aspect={item.passed === true ? "clear" : "danger"} size="small" />
                    <span>
                      {nameInWords(textOf(item.type), "EVIDENCE_TYPE_") || "unnamed"}{" "}
                      {item.passed === true ? "passed" : "failed"}
                    </span>
                    <code className="anywhere font-mono text-xs">
                      <Marked text={textOf(item.command)} />
                    </code>
                  </span>
                </summary>
                <pre className="anywhere bg-recess p-4 font-mono text-xs whitespace-pre-wrap">
                  <Marked text={textOf(item.output) || "It printed nothing."} />
                </pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ArtifactPanel({ artifacts }: { artifacts: readonly Fields[] }) {
  return (
    <Panel heading="Artifacts">
      {artifacts.length === 0 ? (
        <Soft>The result names none.</Soft>
      ) : (
        <ul className="board divide-y divide-rule/70">
          {artifacts.map((artifact, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two may name one path, and none ever moves
            <li key={index} className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2 text-sm">
              <code className="anywhere font-mono text-xs font-medium">
                <Marked text={textOf(artifact.path)} />
              </code>
              <span className="text-ink-soft">
                {nameInWords(textOf(artifact.action), "ARTIFACT_ACTION_")}
              </span>
              {textOf(artifact.digest) !== "" && (
                <code
                  className="clamped-2 ml-auto font-mono text-xs text-ink-soft"
                  title={textOf(artifact.digest)}
                >
                  {textOf(artifact.digest)}
                </code>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const Soft = ({ children }: { children: ReactNode }) => (
  <p className="anywhere text-sm text-ink-soft">{children}</p>
);

/** The whole of it as it was kept, for who needs a field that no panel shows. */
export function Whole({ value, what }: { value: unknown; what: string }) {
  return (
    <details className="min-w-0">
      <summary className="min-h-11 py-2 text-sm font-medium">The whole {what} as JSON</summary>
      <CodeBlock what={`the ${what}`} code={JSON.stringify(value, null, 2)} />
    </details>
  );
}
