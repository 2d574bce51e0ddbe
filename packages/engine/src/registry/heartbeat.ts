import { fromJsonString, toJson, toJsonString } from "@bufbuild/protobuf";
import {
  type AgentHeartbeat,
  AgentHeartbeatSchema,
  checkMessage,
  type HealthStatus,
  SignalboxError,
} from "@signalbox/contracts";
import { compileRedactor, findHeartbeatFaults, leaseMsOf, redact } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { findEndpointFaults } from "../link/agent-adapter.ts";
import type { Outcome } from "../orchestrator/work.ts";
import type { Asked, System } from "../system.ts";
import { reach, toldIfBlocked } from "../transaction.ts";
import { groupCommit, type GroupCommit } from "./group-commit.ts";
import { requirePack } from "./registered-packs.ts";
import { type HeardHeartbeat, writeHeartbeats } from "./write-heartbeats.ts";

/** What an instance must know at once. */
export type HeartbeatAnswer = {
  leaseExpiresAt: Date;
  healthStatus: HealthStatus;
  cancelDispatchIds: readonly string[];
  drain: boolean;
};

/** What a message comes to by itself, whoever says it. */
type Judged = { readonly clean: AgentHeartbeat; readonly json: string };
/** Given with the very same message of the same process again, it is not judged anew; filled where nothing of it was masked. */
export type JudgedBefore = { is?: Judged };

const mostInOneCommit = 500;
const mostWaiting = 20_000;
/** Far less than an agent waits between two heartbeats. One group is written at a time, so most of a crowd may be in it (ADR 0061). */
const gather = { share: 0.8, forMs: 3 };

const redactor = compileRedactor();
type Writer = GroupCommit<HeardHeartbeat, Outcome<HeartbeatAnswer>>;
const writers = new WeakMap<Database, Writer>();

/**
 * Keeps an instance in the registry. It says that the process lives, and nothing of its dispatches, whose leases it
 * renews by themselves (D8); and nothing that it says lifts a quarantine (D7). Answered after the commit.
 */
export async function heartbeat(
  system: System,
  { caller, requestId, unconfirmedKey }: Asked,
  said: AgentHeartbeat,
  judged: JudgedBefore = {},
): Promise<HeartbeatAnswer> {
  authorise(caller, "instance.heartbeat", { packId: said.packId });
  const { tenantId, actor } = caller;
  try {
    judged.is ??= judge(system, said);
  } catch (error) {
    // Bounded as it is, only a fault of the masking itself can come of it: and nothing of it may be quoted then.
    const blocked = { tenantId, requestId, pipelineId: null, what: "A heartbeat" };
    throw await toldIfBlocked(system, blocked, error);
  }
  const { clean, json } = judged.is;
  // What was masked is not to be found in a memory of what was said.
  if (clean !== said) delete judged.is;
  const packVersion = said.packVersion === "" ? undefined : said.packVersion;
  await requirePack(system, tenantId, { packId: said.packId, packVersion });
  const outcome = await writerOf(system).submit({
    unconfirmedKey,
    heartbeat: clean,
    json,
    packVersion,
    leaseMs: leaseMsOf(clean),
    context: { tenantId, actor, requestId },
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

function judge({ adapters }: System, said: AgentHeartbeat): Judged {
  checkMessage(AgentHeartbeatSchema, said);
  const violations = [...findHeartbeatFaults(said), ...findEndpointFaults(adapters, said.endpoint)];
  if (violations.length > 0) {
    throw new SignalboxError("VALIDATION_FAILED", "The heartbeat breaks a rule.", { violations });
  }
  return withoutSecrets(said);
}

/** Its names are its identity: one that looks like a secret is refused, for masked it would be another instance's. */
function withoutSecrets(said: AgentHeartbeat): Judged {
  const { value, marks } = redact(redactor, toJson(AgentHeartbeatSchema, said), { root: "agent_heartbeat" });
  const json = JSON.stringify(value);
  if (marks.length === 0) return { clean: said, json };
  const clean = fromJsonString(AgentHeartbeatSchema, json);
  const violations = [
    ["pack_id", clean.packId, said.packId],
    ["instance_id", clean.instanceId, said.instanceId],
    ["endpoint.address", clean.endpoint?.address, said.endpoint?.address],
  ].flatMap(([field = "", kept, told]) =>
    kept === told
      ? []
      : [
          {
            field,
            rule: "no_secret",
            message: "looks like a secret; names and addresses are kept and shown as they are",
          },
        ],
  );
  // What the redactor gives is a JSON value of the same shape; it is stored as the contract prints it.
  if (violations.length === 0) return { clean, json: toJsonString(AgentHeartbeatSchema, clean) };
  throw new SignalboxError("VALIDATION_FAILED", "The heartbeat breaks a rule.", { violations });
}

function writerOf(system: System): Writer {
  const known = writers.get(system.database);
  if (known !== undefined) return known;
  const writer: Writer = groupCommit({
    write: (heard) => reach(system, () => writeHeartbeats(system, heard)),
    most: mostInOneCommit,
    bound: mostWaiting,
    gather,
  });
  writers.set(system.database, writer);
  return writer;
}
