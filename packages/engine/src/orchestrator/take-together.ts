import { fromJsonString } from "@bufbuild/protobuf";
import { type TaskEnvelope, TaskEnvelopeSchema } from "@signalbox/contracts";
import { type Database, type EnvelopeRequest, takeEnvelopes, type TakenEnvelope } from "@signalbox/db";

/** What instances ask for at once, of whatever tenants, in one transaction: a thousand that wait cost a few commits. */
export async function takeTogether(
  batches: Database,
  requests: readonly EnvelopeRequest[],
): Promise<TaskEnvelope[][]> {
  const tenantIds = [...new Set(requests.map(({ tenantId }) => tenantId))];
  const taken = await batches.inTenants(tenantIds, (tx) => takeEnvelopes(tx, requests));
  const left = Map.groupBy(taken, nameOf);
  return requests.map((request) =>
    (left.get(nameOf(request))?.splice(0, request.max) ?? []).map(readEnvelope),
  );
}

const nameOf = ({ tenantId, packId, instanceId }: Omit<EnvelopeRequest, "max" | "leaseMs">): string =>
  JSON.stringify([tenantId, packId, instanceId]);

const readEnvelope = ({ envelope }: TakenEnvelope): TaskEnvelope =>
  fromJsonString(TaskEnvelopeSchema, envelope, { ignoreUnknownFields: true });
