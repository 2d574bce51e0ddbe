type Clocked = {
  readonly pause: { readonly reason: "person" | "deadline" | "waiting" } | null;
  readonly deadlineAt: string | null;
  readonly policy: { readonly pipelineDeadline: string | null };
};

/** What a rewind does to the deadline's clock (D13), which depends on whether it runs now and on what stopped it. */
export function clockAtRewind({ pause, deadlineAt, policy }: Clocked): string {
  if (pause?.reason === "waiting")
    return "The pipeline is paused, since all that is left waits for a person. With this it goes on, and the deadline’s clock with what was left.";
  if (pause !== null)
    return "The deadline’s clock stands still, for the pipeline is paused. It stays so: what is sent back waits until somebody resumes it.";
  if (deadlineAt === null && policy.pipelineDeadline === null) return "It has no deadline: no clock runs.";
  return "The deadline’s clock keeps running. It stops only while the pipeline is paused.";
}
