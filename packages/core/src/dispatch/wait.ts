import { instanceReason, packReason, providesAll, type Question, versionReason } from "./judge.ts";
import { type EscalationReason, type Outlook, outlookOf, outlooks, type WaitReason } from "./reasons.ts";
import type { DispatchRequest } from "./request.ts";
import type { Candidate, CompiledRoute, Snapshot } from "./snapshot.ts";

/** DSP-51: how long a stage waits for a busy pack where the policy does not say. */
const DEFAULT_MAX_WAIT_MS = 15 * 60_000;
/** DSP-52: how long it waits for one that is away. Long enough for a restart, too short for a silent wait. */
const DEFAULT_ABSENCE_GRACE_MS = 30_000;

/** Why nobody is able now. */
type AbsenceReason = Exclude<WaitReason, "behind">;

type Verdict =
  | { readonly kind: "wait"; readonly reason: AbsenceReason; readonly until: number }
  | { readonly kind: "escalate"; readonly reason: EscalationReason };

/**
 * Nobody is able: DSP-50 to DSP-54 tell whether somebody will be. Asked only when nothing could be selected, so it
 * looks at every instance of every candidate.
 */
export function waitOrEscalate({ allowed, fallback }: CompiledRoute, question: Question): Verdict {
  const prospects = [...allowed.all, ...fallback.all].map((candidate) => prospectOf(candidate, question));
  const nearest =
    outlooks.find((outlook) => prospects.some((prospect) => prospect.outlook === outlook)) ?? "never";
  if (nearest === "never") return { kind: "escalate", reason: "no-compatible-pack" };
  if (nearest === "person") return { kind: "escalate", reason: "only-quarantined" };
  const lastSeen = Math.max(...prospects.map((prospect) => prospect.lastSeen));
  return waitUnlessOver(nearest, lastSeen, question);
}

function waitUnlessOver(
  reason: AbsenceReason,
  lastSeen: number,
  { snapshot, request, now }: Question,
): Verdict {
  const { maxWaitMs = DEFAULT_MAX_WAIT_MS, absenceGraceMs = DEFAULT_ABSENCE_GRACE_MS } =
    snapshot.policy.admission;
  const since = Math.min(request.waitingSince ?? now, now);
  const over =
    reason === "busy"
      ? since + maxWaitMs
      : Math.max(since, Math.min(lastSeen, now), Math.min(snapshot.listeningSince, now)) + absenceGraceMs;
  if (over <= now) return { kind: "escalate", reason: reason === "busy" ? "waited-too-long" : "unavailable" };
  return { kind: "wait", reason, until: Math.min(over, request.deadlineAt ?? over) };
}

/** DSP-51: until when a stage for which somebody is able waits all the same, since others came before it. */
export function waitsBehindUntil(
  { policy: { admission } }: Snapshot,
  { waitingSince, deadlineAt }: DispatchRequest,
  now: number,
): number {
  const over = Math.min(waitingSince ?? now, now) + (admission.maxWaitMs ?? DEFAULT_MAX_WAIT_MS);
  return Math.min(over, deadlineAt ?? over);
}

type Prospect = { readonly outlook: Outlook; readonly lastSeen: number };

/** What it would take for a pack to become able, and when an instance of it that could have was last heard of. */
function prospectOf(candidate: Candidate, question: Question): Prospect {
  const pack = question.snapshot.packs[candidate.place];
  const never: Prospect = { outlook: "never", lastSeen: Number.NEGATIVE_INFINITY };
  const packObstacle = packReason(pack, candidate, question);
  if (pack === undefined || (packObstacle !== undefined && outlookOf[packObstacle] === "never")) return never;
  const fit = pack.versions.filter((version) => versionReason(version, candidate, question) === undefined);
  const reasons = fit.flatMap((version) => {
    const providesTools = providesAll(version, question);
    // Without an instance only the manifest can tell whether one would do.
    if (version.instances.length === 0)
      return [
        { reason: providesTools ? "no-instance" : "tools-missing", lease: Number.NEGATIVE_INFINITY } as const,
      ];
    return version.instances.map((instance) => ({
      reason:
        instanceReason(instance, version, providesTools, question) ?? packObstacle ?? "pack-at-capacity",
      lease: instance.facts.leaseExpiresAt,
    }));
  });
  const outlook =
    outlooks.find((known) => reasons.some(({ reason }) => outlookOf[reason] === known)) ?? "never";
  const leases = reasons.filter(({ reason }) => outlookOf[reason] === "away").map(({ lease }) => lease);
  return { outlook, lastSeen: Math.max(Number.NEGATIVE_INFINITY, ...leases) };
}
