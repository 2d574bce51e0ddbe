import type { Escalation, EscalationEnd } from "@signalbox/core";
import type { EscalationView } from "@signalbox/engine";
import { durationJson, timeJson } from "./time-json.ts";

/** The question, with what was found and what may be answered. */
export const escalationView = ({ openedAt, gate, ...escalation }: Escalation) => ({
  ...escalation,
  gate: gate ?? null,
  openedAt: timeJson(openedAt),
});

/** The question in full: where it arose, and how it ended. */
export const escalationResource = ({ escalation, pipelineId, openedAt, closedAt, end }: EscalationView) => ({
  ...escalationView(escalation),
  pipelineId,
  openedAt: openedAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
  end: end && endView(end),
});

function endView(end: EscalationEnd) {
  if (end.kind === "superseded") return end;
  const { resolution, by, comment } = end;
  const said =
    resolution.option === "extend"
      ? { option: resolution.option, extendBy: durationJson(resolution.byMs) }
      : resolution;
  return { kind: end.kind, ...said, by, comment };
}
