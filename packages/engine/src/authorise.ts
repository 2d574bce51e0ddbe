import { SignalboxError } from "@signalbox/contracts";
import { may, type Action, type Caller, type Subjects } from "@signalbox/core";

/** Every command asks this first, so that no transport can forget to. */
export function authorise<A extends Action>(caller: Caller, action: A, subject: Subjects[A]): void {
  const decision = may(caller, action, subject);
  if (!decision.allowed) throw new SignalboxError("FORBIDDEN", `Not allowed: ${decision.reason}.`);
}

type OfPack = { [A in Action]: Subjects[A] extends { packId: string } ? A : never }[Action];

/** Before it is known which pack it is about: whether the caller may do it for any at all. */
export function authoriseForSomePack(caller: Caller, action: OfPack): void {
  const decision = may<OfPack>(caller, action, { packId: caller.packIds?.[0] ?? "" });
  if (!decision.allowed) throw new SignalboxError("FORBIDDEN", `Not allowed: ${decision.reason}.`);
}
