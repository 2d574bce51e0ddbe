import { AuditEventType } from "@signalbox/contracts";
import type { Actor } from "../caller.ts";

/** Since when an instance is asked to finish what it has and take no more, and why; `null` while it is not. */
export type Draining = { readonly since: number; readonly reason: string } | null;

export type DrainingEvent = {
  readonly kind: "drain" | "resume";
  readonly by: Actor;
  readonly note: string;
};

/** What the audit has to say of it; whose instance it is, the caller knows. */
export type DrainingEntry = {
  readonly eventType: AuditEventType;
  readonly action: "instance.drained" | "instance.resumed";
  readonly rationale: string;
  readonly actor: Actor;
};

export type DrainingDecision =
  | { readonly kind: "draining" | "resumed"; readonly draining: Draining; readonly entry: DrainingEntry }
  | { readonly kind: "refused"; readonly reason: "draining-already" | "not-draining" };

/** INST-6: said by somebody, and taken back by somebody: no heartbeat does either. */
export function decideDraining(
  draining: Draining,
  { kind, by, note }: DrainingEvent,
  now: number,
): DrainingDecision {
  if (kind === "drain") {
    if (draining !== null) return { kind: "refused", reason: "draining-already" };
    return {
      kind: "draining",
      draining: { since: now, reason: note },
      entry: {
        eventType: AuditEventType.INSTANCE_DRAINED,
        action: "instance.drained",
        rationale: note,
        actor: by,
      },
    };
  }
  if (draining === null) return { kind: "refused", reason: "not-draining" };
  return {
    kind: "resumed",
    draining: null,
    entry: {
      eventType: AuditEventType.INSTANCE_RESUMED,
      action: "instance.resumed",
      rationale: note === "" ? `It may be given work again; it was drained for: ${draining.reason}` : note,
      actor: by,
    },
  };
}
