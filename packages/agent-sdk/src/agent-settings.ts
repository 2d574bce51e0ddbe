import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AgentHealthSchema, SignalboxError } from "@signalbox/contracts";
import type { AgentId } from "@signalbox/contracts/saop";
import type { Answer } from "./answer.ts";
import type { Manifest } from "./client.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Connection } from "./request.ts";

export type AgentSettings = Connection & {
  /** What the agent is and can do. Registered at the start; the same manifest again changes nothing. */
  readonly pack: Manifest & { readonly packId: string; readonly packVersion: string };
  /** Names this process among those of the pack. Left out, it is made up anew at each start. */
  readonly instanceId?: string;
  /** How many dispatches at once. */
  readonly capacity?: number;
  /** Whose turns and thoughts it reports. */
  readonly role?: AgentId;
  /**
   * Does the work of one dispatch. What it throws is reported as a failure that another attempt may mend. Once
   * `dispatch.signal` is aborted nobody waits for an answer.
   */
  readonly work: (dispatch: Dispatch) => Promise<Answer> | Answer;
  /**
   * Asked at each heartbeat: what does not work now, and what is at hand beyond the manifest. Where it throws, the heartbeat
   * says DEGRADED.
   */
  readonly condition?: () => Condition;
  /** Hears of what went wrong and is tried again, and of answers that were refused. What it throws is dropped. */
  readonly onTrouble?: (error: SignalboxError, doing: string) => void;
  /** Aborted: drain, and stop. */
  readonly signal?: AbortSignal;
  readonly timing?: Partial<Timing>;
};

export type Condition = {
  readonly health?: Pick<MessageInitShape<typeof AgentHealthSchema>, "status" | "degradedTools">;
  readonly availableTools?: string[];
};

export type Timing = {
  readonly heartbeatEveryMs: number;
  /** How long one request waits for work. */
  readonly leaseWaitSeconds: number;
  /** At most so long between two renewals; a third of the lease where that is shorter. */
  readonly renewEveryMs: number;
  /** How long work at hand may take once the agent drains; then it is called off and handed back. */
  readonly drainWithinMs: number;
};

export const usualTiming: Timing = {
  heartbeatEveryMs: 10_000,
  leaseWaitSeconds: 20,
  renewEveryMs: 20_000,
  drainWithinMs: 60_000,
};
