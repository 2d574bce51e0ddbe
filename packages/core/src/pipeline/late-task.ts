import { SignalboxError } from "@signalbox/contracts";

/** CLOCK-9: a task that nobody could begin in time is told so, by the field that says it. */
export function refuseLateTask(deadlineAt: number | undefined, now: number, field: string): void {
  if (deadlineAt === undefined || deadlineAt > now) return;
  const shown = new Date(deadlineAt).toISOString();
  throw new SignalboxError("DEADLINE_EXCEEDED", `The task's deadline, ${shown}, has passed.`, {
    violations: [
      {
        field,
        rule: "future",
        message: `is ${shown}, which has passed; a later moment, or none, is allowed`,
      },
    ],
  });
}
