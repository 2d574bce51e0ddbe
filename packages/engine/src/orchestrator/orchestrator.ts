import type { SignalboxError } from "@signalbox/contracts";
import type { CurrentDispatch } from "@signalbox/core";
import type { Database, InstanceKey } from "@signalbox/db";
import type { DocumentCache } from "../documents/document-cache.ts";
import type { TenantRegistries } from "../registry/tenant-registries.ts";
import type { Deliveries } from "./deliveries.ts";
import type { DispatchOptions } from "./dispatch-ready.ts";
import type { Draft, PipelineKey } from "./draft.ts";
import type { Inboxes } from "./inboxes.ts";
import type { Node } from "./node.ts";
import type { PipelineCache } from "./pipeline-cache.ts";
import type { QueueDepths } from "./queue-depths.ts";
import type { Templates } from "./templates.ts";

export type Committed = {
  readonly drafts: readonly Draft[];
  readonly quarantined: readonly InstanceKey[];
  readonly now: number;
};

/** What batches work with. Everything in it but the database is memory that may be lost at any moment. */
export type Orchestrator = {
  /** Its own connections, whose transactions end early when they idle: a frozen node must not hold locks. */
  readonly database: Database;
  readonly node: Pick<Node, "id" | "epoch">;
  readonly registries: TenantRegistries;
  readonly templates: Templates;
  readonly documents: DocumentCache;
  readonly cache: PipelineCache;
  readonly depths: QueueDepths;
  readonly deliveries: Deliveries;
  readonly inboxes: Inboxes;
  /** How long a dispatch that nobody took waits for its instance before it is sent elsewhere. */
  readonly takeWithinMs: number;
  /** Somebody may have become free, or something new waits: the sweeps look soon. */
  readonly wake: (tenantId: string) => void;
  /** These were called off, and it is committed: an agent that is called is told at once. */
  readonly onCancelled: (tenantId: string, dispatches: readonly CurrentDispatch[]) => void;
  /** It is committed, and whoever counts may look at it. */
  readonly onCommitted: (committed: Committed) => void;
  readonly onBroken: DispatchOptions["onBroken"];
  /** Something could not be masked, and nothing of it was written (D21): whoever watches must be told. */
  readonly onBlocked: (error: SignalboxError, key: PipelineKey) => void;
};
