import type { JsonObject } from "@bufbuild/protobuf";
import type { Escalation, EscalationEnd, Resolution } from "../pipeline/escalation.ts";
import {
  type Codec,
  count,
  flag,
  listOf,
  nullable,
  type ObjectCodec,
  objectOf,
  quantity,
  text,
  word,
} from "./codec.ts";
import { marked } from "./format.ts";
import { always, shape, unless } from "./shape.ts";
import { pinnedRef, decider, instanceRef } from "./stage-codec.ts";

type Gate = NonNullable<Escalation["gate"]>;
type GateCheck = { readonly gateName: string; readonly passed: boolean; readonly evidence: string };
type GateFields = {
  readonly checks: Partial<GateCheck>[];
  readonly tier: string;
  readonly passed: boolean;
  readonly rejectReason: string;
  readonly rewindTargetStage: string;
  readonly stageRetriesLeft: number;
  readonly pipelineRetriesLeft: number;
  readonly rejectionsLeft: number;
};

const gateCheck = shape<GateCheck>({
  gateName: always(text),
  passed: always(flag),
  evidence: always(text),
});
const checks = listOf(gateCheck.part);

/** The gate gives what it found as far as it is known by then, so what is absent stays absent. */
const gate: Codec<Gate> = shape<GateFields>({
  checks: always({ write: checks.write, read: (json) => [...checks.read(json)] }),
  tier: always(text),
  passed: always(flag),
  rejectReason: always(text),
  rewindTargetStage: always(text),
  stageRetriesLeft: always(count),
  pipelineRetriesLeft: always(count),
  rejectionsLeft: always(count),
}).part;

const option = word({
  retry: true,
  advance: true,
  rewind: true,
  skip: true,
  answer: true,
  accept: true,
  restore: true,
  extend: true,
  resume: true,
  abort: true,
});

const escalation = shape<Escalation>({
  escalationId: always(text),
  cause: always(
    word({
      "dispatch-refused": true,
      "policy-blocked": true,
      gate: true,
      clarification: true,
      "stage-failed": true,
      "low-confidence": true,
      deadline: true,
    }),
  ),
  stageId: unless(null, nullable(text)),
  attemptNumber: unless(0, count),
  problem: always(text),
  impact: always(text),
  options: always(listOf(option)),
  recommended: always(option),
  blocking: unless(true, flag),
  onTimeout: unless("stays-open", word({ "stays-open": true })),
  openedAt: always(quantity),
  gate: unless(null, nullable(gate)),
  quarantined: unless(null, nullable(instanceRef)),
  staleRefs: unless([], listOf(pinnedRef)),
});

type Plain = Extract<Resolution, { option: "advance" | "skip" | "accept" | "restore" | "resume" | "abort" }>;
const plain = shape<Plain>({
  option: always(word({ advance: true, skip: true, accept: true, restore: true, resume: true, abort: true })),
});
const resolutions = {
  retry: shape<Extract<Resolution, { option: "retry" }>>({
    option: always(word({ retry: true })),
    instructions: unless("", text),
  }),
  rewind: shape<Extract<Resolution, { option: "rewind" }>>({
    option: always(word({ rewind: true })),
    stageId: always(text),
    instructions: unless("", text),
  }),
  answer: shape<Extract<Resolution, { option: "answer" }>>({
    option: always(word({ answer: true })),
    answer: always(text),
  }),
  extend: shape<Extract<Resolution, { option: "extend" }>>({
    option: always(word({ extend: true })),
    byMs: always(quantity),
  }),
};

const resolution: ObjectCodec<Resolution> = {
  write: (value) => {
    switch (value.option) {
      case "retry":
        return resolutions.retry.write(value);
      case "rewind":
        return resolutions.rewind.write(value);
      case "answer":
        return resolutions.answer.write(value);
      case "extend":
        return resolutions.extend.write(value);
      case "advance":
      case "skip":
      case "accept":
      case "restore":
      case "resume":
      case "abort":
        return plain.write(value);
    }
  },
  read: (json) => {
    const chosen = option.read(objectOf(json)["option"]);
    switch (chosen) {
      case "retry":
      case "rewind":
      case "answer":
      case "extend":
        return resolutions[chosen].read(json);
      case "advance":
      case "skip":
      case "accept":
      case "restore":
      case "resume":
      case "abort":
        return plain.read(json);
    }
  },
};

type Resolved = Extract<EscalationEnd, { kind: "resolved" }>;
type Superseded = Extract<EscalationEnd, { kind: "superseded" }>;
const resolved = shape<Resolved>({
  kind: always(word({ resolved: true })),
  resolution: always(resolution),
  by: always(decider),
  comment: unless("", text),
});
const superseded = shape<Superseded>({
  kind: always(word({ superseded: true })),
  why: always(word({ rewound: true, "pipeline-ended": true, "attempt-ended": true })),
});

export const escalationCodec: ObjectCodec<Escalation> = marked(escalation);
export const escalationEndCodec: ObjectCodec<EscalationEnd> = marked<EscalationEnd>({
  fill: (end, json) => (end.kind === "resolved" ? resolved.fill(end, json) : superseded.fill(end, json)),
  read: (json) => (objectOf(json)["kind"] === "resolved" ? resolved.read(json) : superseded.read(json)),
});

export const escalationJson = (value: Escalation): JsonObject => escalationCodec.write(value);
export const readEscalation = (json: unknown): Escalation => escalationCodec.read(json);
export const escalationEndJson = (end: EscalationEnd): JsonObject => escalationEndCodec.write(end);
export const readEscalationEnd = (json: unknown): EscalationEnd => escalationEndCodec.read(json);
