import { createHash } from "node:crypto";
import { fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import { AgentManifestSchema, checkMessage, SignalboxError, type AgentManifest } from "@signalbox/contracts";
import {
  decidePackRegistration,
  findIdentifierFaults,
  findPackNameFaults,
  findPackSecrets,
  packRegistered,
  packRegisteredEvent,
} from "@signalbox/core";
import {
  findPack,
  insertPack,
  listPacks as listPackRows,
  type Pack,
  type PackCursor,
  type PackSummary,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "./authorise.ts";
import type { KeptForm } from "./once/kept-form.ts";
import { transactOnce } from "./once/transact-once.ts";
import { cursorsOf, type PageRequest, readLimit, readQuery, refuseCursor } from "./page.ts";
import { record } from "./record.ts";
import { holdsNul } from "./storable.ts";
import { tell } from "./stream/tell.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

const cursors = cursorsOf("packs");

export type RegisteredPack = { manifest: AgentManifest; registeredAt: Date; registeredBy: string };
export type PackPage = { packs: PackSummary[]; nextCursor: string | undefined };
type PackName = { packId: string; packVersion: string };

const registeredForm: KeptForm<{ pack: RegisteredPack; created: boolean }> = {
  write({ pack: { manifest, registeredAt, registeredBy }, created }) {
    const printed = toJsonString(AgentManifestSchema, manifest);
    return JSON.stringify({ created, manifest: printed, registeredAt, registeredBy });
  },
  read(text) {
    const kept: { created: boolean; manifest: string; registeredAt: string; registeredBy: string } =
      JSON.parse(text);
    const { created, manifest, registeredBy } = kept;
    const registeredAt = new Date(kept.registeredAt);
    return {
      pack: { manifest: fromJsonString(AgentManifestSchema, manifest), registeredAt, registeredBy },
      created,
    };
  },
};

/** Registers a pack: the one way for all transports. The same content again is answered as the first time. */
export async function registerPack(
  system: System,
  asked: Asked,
  manifest: AgentManifest,
): Promise<{ pack: RegisteredPack; created: boolean }> {
  authorise(asked.caller, "pack.register", { packId: manifest.packId });
  checkMessage(AgentManifestSchema, manifest);
  const nameFaults = [
    ...findPackNameFaults(manifest),
    ...manifest.supportedTaskTypes.flatMap((type, index) =>
      findIdentifierFaults(`supported_task_types[${index}]`, type),
    ),
  ];
  if (nameFaults.length > 0) {
    throw new SignalboxError("VALIDATION_FAILED", "The pack's name cannot be used.", {
      violations: nameFaults,
    });
  }
  const secrets = findPackSecrets(manifest);
  if (secrets.length > 0) {
    throw new SignalboxError("VALIDATION_FAILED", "The manifest holds a secret.", { violations: secrets });
  }
  return transactOnce(system, asked, registeredForm, async (tx) => {
    const found = await findPack(tx, manifest.packId, manifest.packVersion);
    if (found !== undefined) return { pack: sameAs(system, found, manifest), created: false };
    const decision = decidePackRegistration(undefined, manifest, system.orchestrator);
    if (decision.outcome === "refused") {
      const { violations } = decision;
      throw new SignalboxError("PACK_INCOMPATIBLE", violations.map(({ message }) => message).join("; "), {
        violations,
      });
    }
    return insertOrCompare(system, tx, asked, manifest);
  });
}

/** Another process may register the same version between our look and our write: then its row decides. */
async function insertOrCompare(system: System, tx: TenantTransaction, asked: Asked, manifest: AgentManifest) {
  const { tenantId, actor } = asked.caller;
  const inserted = await insertPack(tx, {
    packId: manifest.packId,
    packVersion: manifest.packVersion,
    manifest: toJsonString(AgentManifestSchema, manifest),
    contentDigest: createHash("sha256").update(toBinary(AgentManifestSchema, manifest)).digest(),
    safetyTier: manifest.safetyTier,
    supportedTaskTypes: manifest.supportedTaskTypes,
    registeredBy: actor.id,
  });
  if (inserted === undefined) {
    const winner = await findPack(tx, manifest.packId, manifest.packVersion);
    if (winner === undefined) throw new Error("a pack that exists cannot be found");
    return { pack: sameAs(system, winner, manifest), created: false };
  }
  const context = { tenantId, actor, requestId: asked.requestId };
  await record(tx, packRegistered(context, manifest, system.orchestrator));
  await tell(tx, packRegisteredEvent(manifest));
  return { pack: registeredPack(inserted), created: true };
}

function sameAs(system: System, row: Pack, manifest: AgentManifest): RegisteredPack {
  const pack = registeredPack(row);
  const decision = decidePackRegistration(pack.manifest, manifest, system.orchestrator);
  if (decision.outcome !== "conflict") return pack;
  throw new SignalboxError("PACK_VERSION_EXISTS", decision.detail, {
    violations: decision.differs.map((field) => ({
      field,
      rule: "immutable",
      message: "differs from what is registered under this version",
    })),
  });
}

const registeredPack = ({ manifest, registeredAt, registeredBy }: Pack): RegisteredPack => ({
  manifest: fromJsonString(AgentManifestSchema, manifest, { ignoreUnknownFields: true }),
  registeredAt,
  registeredBy,
});

/** Missing and another tenant's are one answer: row security never shows the latter. */
export async function getPack(system: System, { caller }: Asked, name: PackName): Promise<RegisteredPack> {
  authorise(caller, "pack.read", undefined);
  const found = holdsNul(name.packId + name.packVersion)
    ? undefined
    : await transact(system, caller.tenantId, (tx) => findPack(tx, name.packId, name.packVersion));
  if (found !== undefined) return registeredPack(found);
  throw new SignalboxError("NOT_FOUND", `There is no pack ${name.packId} in version ${name.packVersion}.`);
}

/** The newest first. */
export async function listPacks(system: System, { caller }: Asked, page: PageRequest): Promise<PackPage> {
  authorise(caller, "pack.read", undefined);
  const limit = readLimit(page.limit);
  const query = readQuery(page.query);
  const after = page.cursor === undefined ? undefined : readPackCursor(page.cursor);
  const { packs, next } = await transact(system, caller.tenantId, (tx) =>
    listPackRows(tx, { limit, after, query }),
  );
  return {
    packs,
    nextCursor: next && cursors.write([next.registeredAt.toISOString(), next.packId, next.packVersion]),
  };
}

function readPackCursor(cursor: string): PackCursor {
  const [at = "", packId = "", packVersion = ""] = cursors.readMoment(cursor, 3);
  if (holdsNul(packId + packVersion)) throw refuseCursor();
  return { registeredAt: new Date(at), packId, packVersion };
}
