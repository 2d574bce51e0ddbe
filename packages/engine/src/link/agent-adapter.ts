import type {
  AgentEndpoint,
  AgentResult,
  AgentTransport,
  TaskEnvelope,
  Violation,
} from "@signalbox/contracts";
import { AgentTransportSchema, storableText, toSignalboxError } from "@signalbox/contracts";
import type { InstanceRef } from "@signalbox/core";

/** An instance as an adapter finds it. */
export type Reached = InstanceRef & { readonly tenantId: string; readonly address: string };

/** What an agent answered to an envelope: its result, or that it has taken it and reports by itself. */
export type RunAnswer =
  | { readonly kind: "taken" }
  | { readonly kind: "answered"; readonly result: AgentResult };

export type CancelledAttempt = {
  readonly dispatchId: string;
  readonly attemptNumber: number;
  readonly reason: string;
};

/**
 * Why an envelope was not answered. `not-taken`: the agent certainly does not have it, so it can be handed over again.
 * `lost`: it may be at work on it, and keeps it until its lease ends (D8). `over`: it works on it no more, and did not say
 * why. `failed`: it said that it failed. `unreadable`: it answered with what is no result.
 */
export type LinkFailureKind = "not-taken" | "lost" | "over" | "failed" | "unreadable";

export class LinkFailure extends Error {
  override readonly name = "LinkFailure";
  readonly kind: LinkFailureKind;

  constructor(kind: LinkFailureKind, message: string, options?: ErrorOptions) {
    // Much of it is the agent's words, whole or cut, which end on record.
    super(storableText(message), options);
    this.kind = kind;
  }
}

/** What an instance says by itself, outside of any answer. It may come twice; the fence makes it once (D6). */
export type Inbound = {
  report(dispatchId: string, result: AgentResult): Promise<void>;
  renew(dispatchId: string): Promise<void>;
};

/** One way to reach instances. All that decides is behind `Inbound` and in the deliverer; an adapter only carries. */
export type AgentAdapter = {
  /** While `run` is unanswered the agent is at work, so its lease is renewed for it. */
  readonly channelIsWork: boolean;
  /** Why nobody can be reached at this address. */
  refusal(address: string): string | undefined;
  /** Rejects with a `LinkFailure`, also when `signal` calls it off. */
  run(to: Reached, envelope: TaskEnvelope, signal: AbortSignal): Promise<RunAnswer>;
  /** Nobody waits for the attempt any more. Safe to repeat. */
  cancel(to: Reached, attempt: CancelledAttempt): Promise<void>;
  /** Hears what comes by itself from an instance, until the function that it gives is called. */
  listen?(to: Reached, inbound: Inbound): () => void;
  close(): Promise<void>;
};

/** What is wrong with an answer, in words for the record: each field, and what is allowed. */
export function unreadable(what: string, cause: unknown): LinkFailure {
  const { detail, violations } = toSignalboxError(cause);
  const faults = violations.map(({ field, message }) => `${field === "" ? "it" : field} ${message}`);
  return new LinkFailure("unreadable", `${what}: ${faults.length === 0 ? detail : faults.join("; ")}`, {
    cause,
  });
}

export type AgentAdapters = ReadonlyMap<AgentTransport, AgentAdapter>;

/** An instance that cannot be reached as it says is told so at once, and not when work comes for it. */
export function findEndpointFaults(
  adapters: AgentAdapters | undefined,
  endpoint: AgentEndpoint | undefined,
): Violation[] {
  if (endpoint === undefined) return [];
  const adapter = adapters?.get(endpoint.transport);
  if (adapter === undefined) {
    const offered = [...(adapters?.keys() ?? [])].map(nameOf).join(", ");
    const message = `${nameOf(endpoint.transport)} is not offered here; ${offered === "" ? "an instance leases its work, and names no endpoint" : `${offered}, or no endpoint at all, are`}`;
    return [{ field: "endpoint.transport", rule: "endpoint.offered", message }];
  }
  const refused = adapter.refusal(endpoint.address);
  if (refused === undefined) return [];
  return [{ field: "endpoint.address", rule: "endpoint.reachable", message: refused }];
}

const nameOf = (transport: AgentTransport): string =>
  AgentTransportSchema.value[transport]?.name ?? String(transport);
