import { z } from "zod";

/** SACP §2.1. The text does not close the object, so further properties are kept. */
export const SacpResponseSchema = z.looseObject({
  thought: z.string(),
  status: z.enum(["success", "failure", "clarification_needed", "completed"]),
  data: z.record(z.string(), z.unknown()),
  message: z.string(),
  next_step_hint: z.string().optional(),
});
export type SacpResponse = z.infer<typeof SacpResponseSchema>;

/**
 * SACP §11: the status by which an agent talks back to the one before it. It is read as a failure with this hint, so that
 * conditions, the contract and whoever reads an answer know the four statuses of §2.1 alone.
 */
export const RETRY_WITH_INSTRUCTION = "retry_with_instruction";

/** SACP §7.2, word for word: what stands in for an answer that could not be read. */
export const fallbackResponse = (rawOutput: string): SacpResponse => ({
  thought: "System Note: LLM failed to provide structured JSON output.",
  status: "failure",
  data: { raw_output: rawOutput },
  message: "The LLM returned an invalid response format.",
});

/** Whether an answer is the one that stands in for an answer: its status says nothing of the work (D12). */
export function isFallback({
  thought,
  status,
  message,
}: Pick<SacpResponse, "thought" | "status" | "message">): boolean {
  const stands = fallbackResponse("");
  return status === stands.status && thought === stands.thought && message === stands.message;
}
