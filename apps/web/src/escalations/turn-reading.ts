/** What an agent thought, did and saw, as far as the turn that was kept says it. */
export type TurnReading = {
  thought: string;
  action: string;
  observation: string;
  confidence: number | undefined;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function readTurn(turn: unknown): TurnReading | undefined {
  if (!isRecord(turn) || !isRecord(turn.content)) return undefined;
  const { thought, action, observation } = turn.content;
  const confidence = isRecord(turn.metadata) ? turn.metadata.confidence : undefined;
  return {
    thought: text(thought),
    action: text(action),
    observation: text(observation),
    confidence: typeof confidence === "number" ? confidence : undefined,
  };
}
