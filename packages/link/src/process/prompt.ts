import { toJsonString } from "@bufbuild/protobuf";
import { type TaskEnvelope, TaskEnvelopeSchema } from "@signalbox/contracts";
import { protocolBlock } from "@signalbox/contracts/sacp";

/** What a program that is a language model reads: what is asked, the whole envelope, and how to answer. */
export function promptOf(envelope: TaskEnvelope): string {
  const { contract, responseFormat } = envelope;
  const lines = [
    `# ${contract?.title ?? "Task"}`,
    "",
    "Work on the task below. It is accepted when each of these holds:",
    ...(contract?.acceptanceCriteria ?? []).map((criterion) => `- ${criterion}`),
    ...(contract?.nonGoals.length
      ? ["", "Leave alone:", ...contract.nonGoals.map((goal) => `- ${goal}`)]
      : []),
    "",
    "The whole work order, a TaskEnvelope of vasini.agent.v1 as JSON:",
    "",
    toJsonString(TaskEnvelopeSchema, envelope, { prettySpaces: 2 }),
    "",
  ];
  const answer =
    responseFormat === "json_standard"
      ? protocolBlock(envelope)
      : "Answer with an AgentResult of vasini.agent.v1 as JSON, and with nothing else.";
  return `${lines.join("\n")}\n${answer}\n`;
}
