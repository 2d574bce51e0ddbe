/** SACP §3.1, word for word. */
const PROTOCOL = `### SYSTEM PROTOCOL: RESPONSE FORMAT INSTRUCTIONS
You are a highly organized AI agent integrated into a larger workflow.
CRITICAL: You MUST provide your response in a valid JSON format.
DO NOT include any text outside the JSON block.
DO NOT use markdown code blocks (\`\`\`json ... \`\`\`) unless specifically asked, but the raw response MUST be parseable JSON.

Your response schema is:
{
    "thought": "Your reasoning process here...",
    "status": "success" | "failure" | "clarification_needed",
    "data": {
        "key": "value"
        // Any structured data extracted or generated
    },
    "message": "The final human-readable answer."
}

Example:
{
    "thought": "I need to calculate the sum. 5+5 is 10.",
    "status": "success",
    "data": { "result": 10 },
    "message": "The result is 10."
}`;

const TOOLS =
  "You may call tools first, and those calls need not have this format. Once you have what you need, your final response MUST have it.";

const DATA_SCHEMA =
  'The "data" of a response whose status is "success" MUST be valid against this JSON Schema:';

export type ProtocolOptions = {
  /** The stage's schema for `data`, as the envelope's `output_schema` has it. */
  readonly outputSchema?: object | undefined;
  /** The agent has tools: only the last answer must be SACP (§8). */
  readonly tools?: boolean | undefined;
};

/** The block that asks a model for an answer in SACP (§3), with the schema for its data where there is one. */
export function protocolBlock({ outputSchema, tools = false }: ProtocolOptions = {}): string {
  return [
    PROTOCOL,
    ...(tools ? [TOOLS] : []),
    ...(outputSchema === undefined ? [] : [`${DATA_SCHEMA}\n${JSON.stringify(outputSchema, null, 2)}`]),
  ].join("\n\n");
}

export type AnswerFormat = {
  readonly responseFormat: string;
  readonly outputSchema?: object | undefined;
};

/**
 * The system prompt as it goes to the model (§3.2): where the envelope asks for `json_standard`, the block behind the
 * author's own prompt; else that prompt as it is. An envelope of the contract can be passed as it came.
 */
export function withProtocol(
  prompt: string,
  { responseFormat, outputSchema }: AnswerFormat,
  options: Pick<ProtocolOptions, "tools"> = {},
): string {
  if (responseFormat !== "json_standard") return prompt;
  const block = protocolBlock({ ...options, outputSchema });
  return prompt.trim() === "" ? block : `${prompt.trimEnd()}\n\n${block}`;
}
