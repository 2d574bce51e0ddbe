import { SignalboxError } from "@signalbox/contracts";
import { may, type Action, type Caller, type Subjects } from "@signalbox/core";

/** Every command asks this first, so that no transport can forget to. */
export function authorise<A extends Action>(caller: Caller, action: A, subject: Subjects[A]): void {
  const decision = may(caller, action, subject);
  if (!decision.allowed) throw new SignalboxError("FORBIDDEN", `Not allowed: ${decision.reason}.`);
}
