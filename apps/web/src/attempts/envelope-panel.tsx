import { plainText } from "../audit/payload.ts";
import { Moment } from "../ui/moment.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { NameList } from "../ui/plate.tsx";
import type { Attempt } from "./attempt-queries.ts";
import { nameInWords } from "./attempt-words.ts";
import { fieldsOf, listOf, textOf, textsOf } from "./json-fields.ts";
import { LongText } from "./marked.tsx";
import { Whole } from "./result-panel.tsx";

/** A title is one line, whoever wrote it: the whole of a longer one is a button away. */
const LONG_TITLE = 400;

/** The work order as it was sent. */
export function EnvelopePanel({ attempt: { envelope } }: { attempt: Attempt }) {
  const sent = fieldsOf(envelope);
  const contract = fieldsOf(sent.contract);
  const execution = fieldsOf(sent.execution);
  const safety = fieldsOf(sent.safety);
  const files = fieldsOf(contract.expectedFiles);
  const refs = listOf(sent.refs).map((ref) => textOf(fieldsOf(ref).uriOrLocator));
  return (
    <Panel heading="Envelope">
      <dl>
        <Fact name="Task">
          <LongText
            text={[textOf(contract.taskId), textOf(contract.title)].filter(Boolean).join(" · ")}
            what="the task’s title"
            most={LONG_TITLE}
          />
        </Fact>
        {textOf(contract.ownerDomain) !== "" && (
          <Fact name="Domain">
            <LongText text={textOf(contract.ownerDomain)} what="the domain" />
          </Fact>
        )}
        <Fact name="Accepted when">
          <NameList items={textsOf(contract.acceptanceCriteria)} none="not stated" />
        </Fact>
        <Fact name="Expected files">
          <NameList items={Object.values(files).flatMap(textsOf)} none="not restricted" />
        </Fact>
        <Fact name="Denied tools">
          <NameList items={textsOf(safety.toolDenylist)} none="none" />
        </Fact>
        <Fact name="References">
          <NameList items={refs} none="none" />
        </Fact>
        <Fact name="Risk tier">{nameInWords(textOf(execution.riskTier), "RISK_TIER_") || "not named"}</Fact>
        {textOf(execution.deadline) !== "" && (
          <Fact name="Deadline">
            <Moment at={textOf(execution.deadline)} exact />
          </Fact>
        )}
        {textOf(execution.timeout) !== "" && (
          <Fact name="Time limit">{plainText(textOf(execution.timeout))}</Fact>
        )}
      </dl>
      <Whole value={envelope} what="envelope" />
    </Panel>
  );
}
