import {
  create,
  type DescMessage,
  fromJsonString,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  AgentHeartbeatSchema,
  type AgentManifest,
  AgentManifestSchema,
  type AgentResult,
  AgentResultSchema,
  type ContextOutSchema,
  decodeMessageJson,
  type DispatchAttempt,
  HandoffDecision,
  HeartbeatResponseSchema,
  type HeartbeatResponse,
  LeaseRequestSchema,
  LeaseResponseSchema,
  RequestHandoffRequestSchema,
  RequestHandoffResponseSchema,
  SignalboxError,
  type TaskEnvelope,
} from "@signalbox/contracts";
import type { Event, TurnEnvelope } from "@signalbox/contracts/saop";
import { type Attachments, attachmentsOver } from "./attachments.ts";
import { type Answered, type Asked, type Connection, request } from "./request.ts";
import { monotonicMs } from "./wait.ts";

export type Manifest = MessageInitShape<typeof AgentManifestSchema>;
type Heartbeat = MessageInitShape<typeof AgentHeartbeatSchema>;

/** A manifest from its JSON, as a file of one's own has it. */
export const manifestFromJson = (text: string): AgentManifest =>
  decodeMessageJson(AgentManifestSchema, text, { unknownFields: "refuse" });

/** Which process of which pack. */
export type InstanceName = { readonly packId: string; readonly instanceId: string };

/** Work, and how long it is this instance's. */
export type Leased = {
  readonly envelopes: readonly TaskEnvelope[];
  readonly lostDispatchIds: readonly string[];
  /** The end of the leases on this process's own steady clock; undefined where there are none. */
  readonly until: number | undefined;
};

/** What an agent may ask, each once. `startAgent` does all of it in turn; this is for an agent that wants otherwise. */
export type Client = Attachments & {
  registerPack(manifest: Manifest, signal?: AbortSignal): Promise<{ created: boolean }>;
  heartbeat(said: Heartbeat, signal?: AbortSignal): Promise<HeartbeatResponse>;
  lease(
    instance: InstanceName,
    wanted: { readonly maxTasks: number; readonly waitSeconds: number },
    signal?: AbortSignal,
  ): Promise<Leased>;
  renew(instance: InstanceName, attempts: readonly Attempt[], signal?: AbortSignal): Promise<Leased>;
  reportTurn(dispatchId: string, turn: TurnEnvelope, signal?: AbortSignal): Promise<void>;
  reportEvents(dispatchId: string, events: readonly Event[], signal?: AbortSignal): Promise<void>;
  reportResult(result: AgentResult, signal?: AbortSignal): Promise<void>;
  /** `once` names the request: sent again under the same name it is answered as the first time. */
  requestHandoff(
    dispatchId: string,
    wish: HandoffWish,
    once: string,
    signal?: AbortSignal,
  ): Promise<HandoffOutcome>;
};

/** Who should go on, why, and with what: a pack for the same work, or a task type that the stage should be. */
export type HandoffWish = ({ readonly packId: string } | { readonly taskType: string }) & {
  readonly reason: string;
  readonly contextOut?: MessageInitShape<typeof ContextOutSchema>;
};

export type HandoffOutcome = {
  readonly handoffId: string;
  readonly approved: boolean;
  /** Why so. */
  readonly reason: string;
};

export type Attempt = Pick<DispatchAttempt, "dispatchId" | "attemptNumber">;

const promptlyMs = 15_000;
const leaseRange = { leastMs: 1_000, mostMs: 600_000, unknownMs: 30_000 };

export function createClient(connection: Connection): Client {
  const ask = (
    path: string,
    body: object | JsonValue,
    more: Partial<Pick<Asked, "withinMs" | "signal" | "once">> = {},
  ) => request(connection, { path, body, withinMs: promptlyMs, ...more });

  async function askForLease(
    wanted: MessageInitShape<typeof LeaseRequestSchema>,
    signal: AbortSignal | undefined,
  ): Promise<Leased> {
    const body = toJson(LeaseRequestSchema, create(LeaseRequestSchema, wanted));
    const withinMs = promptlyMs + (wanted.waitSeconds ?? 0) * 1_000;
    const asked = monotonicMs();
    const answered = await ask("/v1/leases", body, { withinMs, signal });
    const { envelopes, lostDispatchIds, leaseExpiresAt } = read(LeaseResponseSchema, answered);
    const end = leaseExpiresAt && timestampMs(leaseExpiresAt);
    // A renewal may have been the first thing that the server did, and the answer the last.
    const since = (wanted.renew ?? []).length > 0 ? asked : monotonicMs();
    return { envelopes, lostDispatchIds, until: end && since + leaseMs(end, answered) };
  }

  return {
    ...attachmentsOver(connection),
    registerPack: async (manifest, signal) => {
      const body = toJson(AgentManifestSchema, create(AgentManifestSchema, manifest));
      const { status } = await ask("/v1/packs", body, { signal });
      return { created: status === 201 };
    },
    heartbeat: async (said, signal) => {
      const body = toJson(AgentHeartbeatSchema, create(AgentHeartbeatSchema, said));
      return read(HeartbeatResponseSchema, await ask("/v1/heartbeats", body, { signal }));
    },
    lease: (instance, wanted, signal) => askForLease({ ...instance, ...wanted }, signal),
    renew: (instance, attempts, signal) =>
      askForLease({ ...instance, maxTasks: 0, waitSeconds: 0, renew: [...attempts] }, signal),
    reportTurn: async (dispatchId, turn, signal) => {
      await ask(pathOf(dispatchId, "turns"), turn, { signal });
    },
    reportEvents: async (dispatchId, events, signal) => {
      await ask(pathOf(dispatchId, "events"), { events }, { signal });
    },
    reportResult: async (result, signal) => {
      const path = pathOf(result.dispatchId, "result");
      await ask(path, toJson(AgentResultSchema, result), { signal, withinMs: 2 * promptlyMs });
    },
    requestHandoff: async (dispatchId, { reason, contextOut, ...to }, once, signal) => {
      const target =
        "packId" in to
          ? ({ case: "packId", value: to.packId } as const)
          : ({ case: "taskType", value: to.taskType } as const);
      const wish = create(RequestHandoffRequestSchema, {
        reason,
        target,
        ...(contextOut === undefined ? {} : { contextOut }),
      });
      const body = toJson(RequestHandoffRequestSchema, wish);
      const answered = await ask(pathOf(dispatchId, "handoffs"), body, { signal, once });
      const answer = read(RequestHandoffResponseSchema, answered);
      const approved = answer.decision === HandoffDecision.APPROVED;
      return { handoffId: answer.handoffId, approved, reason: answer.reason };
    },
  };
}

const pathOf = (dispatchId: string, what: "turns" | "events" | "result" | "handoffs"): string =>
  `/v1/dispatches/${encodeURIComponent(dispatchId)}/${what}`;

/** Both times are the server's, so that this process's clock does not matter; the header leaves fractions of a second out. */
function leaseMs(end: number, { serverTime }: Answered): number {
  if (serverTime === undefined) return leaseRange.unknownMs;
  return Math.min(leaseRange.mostMs, Math.max(leaseRange.leastMs, end - serverTime - 1_000));
}

/** What a newer server adds is left out. */
function read<Schema extends DescMessage>(schema: Schema, { text }: Answered): MessageShape<Schema> {
  try {
    return fromJsonString(schema, text, { ignoreUnknownFields: true });
  } catch (cause) {
    // What answers in Signalbox's stead, such as a proxy's page, is gone once Signalbox is back.
    throw new SignalboxError("UNAVAILABLE", `The answer is not a ${schema.name}`, { cause });
  }
}
