import type { JsonObject } from "@bufbuild/protobuf";
import { PipelineStatus } from "@signalbox/contracts";
import type { Clock, Pause, PipelineEnd, PipelineState } from "../pipeline/state.ts";
import { count, enumName, nullable, quantity, text, word } from "./codec.ts";
import { marked } from "./format.ts";
import { always, shape, unless } from "./shape.ts";
import { decider } from "./stage-codec.ts";

/** What the pipeline's own row holds: the plan, the stages and the open escalations have rows of their own. */
export type PipelineHead = Omit<PipelineState, "plan" | "stages" | "escalations">;

const clock = shape<Clock>({
  remainingMs: unless(null, nullable(quantity)),
  runningSince: unless(null, nullable(quantity)),
  endsAt: unless(null, nullable(quantity)),
});

const pause = shape<Pause>({
  reason: always(word({ person: true, deadline: true, waiting: true })),
  since: always(quantity),
  note: unless("", text),
  by: unless(null, nullable(decider)),
});

const end = shape<PipelineEnd>({
  by: always(decider),
  reason: unless("", text),
  escalationId: unless(null, nullable(text)),
});

const head = shape<PipelineHead>({
  status: always(enumName<PipelineStatus>(PipelineStatus)),
  revision: always(count),
  startedAt: always(quantity),
  endedAt: unless(null, nullable(quantity)),
  end: unless(null, nullable(end)),
  clock: always(clock),
  pause: unless(null, nullable(pause)),
  retriesUsed: unless(0, count),
  rejectionsUsed: unless(0, count),
  escalationsOpened: unless(0, count),
});

const headCodec = marked(head);
export const headChange = marked(head.part);

export const pipelineStateJson = (state: PipelineHead): JsonObject => headCodec.write(state);
export const readPipelineState = (json: unknown): PipelineHead => headCodec.read(json);
