import { SignalboxError } from "@signalbox/contracts";
import { decideDraining, drainingChanged, effectiveHealth, instanceEvent } from "@signalbox/core";
import { bumpRegistries, lockPipelines, lockStandings, saveDraining } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { maskSaid, readNote } from "../note.ts";
import { silentForm } from "../once/kept-form.ts";
import { transactOnce } from "../once/transact-once.ts";
import { record } from "../record.ts";
import { holdsNul } from "../storable.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { type OfInstance, unknownInstance } from "./instances.ts";
import { healthStatusOf, standingOf } from "./stored-rows.ts";

/** Asks an instance to finish what it has and take no more: its heartbeats are answered so, and nothing new is sent to it. */
export async function drainInstance(system: System, asked: Asked, named: OfInstance): Promise<void> {
  authorise(asked.caller, "instance.drain", named);
  const note = readNote(named.note);
  if (note === "") {
    const violation = { field: "note", rule: "required", message: "says why; the record keeps it" };
    throw new SignalboxError("VALIDATION_FAILED", "Draining needs a reason.", { violations: [violation] });
  }
  await changeDraining(system, asked, named, { kind: "drain", note });
}

/** Takes it back: it may be sent work again. */
export async function resumeInstance(system: System, asked: Asked, named: OfInstance): Promise<void> {
  authorise(asked.caller, "instance.resume", named);
  await changeDraining(system, asked, named, { kind: "resume", note: readNote(named.note) });
}

async function changeDraining(
  system: System,
  asked: Asked,
  { packId, instanceId }: OfInstance,
  said: { kind: "drain" | "resume"; note: string },
): Promise<void> {
  const { tenantId, actor } = asked.caller;
  const unknown = unknownInstance({ packId, instanceId });
  if (holdsNul(packId + instanceId)) throw unknown;
  const ref = { tenantId, packId, instanceId };
  await transactOnce(system, asked, silentForm, async (tx) => {
    const changes = await bumpRegistries(tx, [tenantId]);
    const { now } = await lockPipelines(tx, []);
    const note = await maskSaid(system, tx, said.note);
    const [row] = await lockStandings(tx, [ref]);
    if (row === undefined) throw unknown;
    const { drainingSince, drainingReason } = row;
    const draining = drainingSince === null ? null : { since: drainingSince, reason: drainingReason };
    const decision = decideDraining(draining, { kind: said.kind, by: actor, note }, now);
    if (decision.kind === "refused")
      throw new SignalboxError(
        "INVALID_STATE",
        `Instance ${instanceId} of ${packId} ${refusals[decision.reason]}.`,
      );
    const health = effectiveHealth(standingOf(row), healthStatusOf(row));
    const { since, reason } = decision.draining ?? { since: null, reason: "" };
    await Promise.all([
      saveDraining(tx, [
        { ...ref, change: changes.get(tenantId) ?? 0, drainingSince: since, drainingReason: reason },
      ]),
      record(tx, drainingChanged({ tenantId, requestId: asked.requestId }, ref, decision.entry, health)),
      tell(tx, instanceEvent(decision.kind, ref, health)),
    ]);
  });
}

const refusals = {
  "draining-already": "is asked to drain already",
  "not-draining": "is not asked to drain",
} as const;
