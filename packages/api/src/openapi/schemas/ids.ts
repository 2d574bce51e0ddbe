import type { JsonSchema } from "@signalbox/contracts";
import { identifierForm, identifierLimits } from "@signalbox/core";

/** Of which messages' fields NAME-1 holds, and how long each may be. What was stored before may be longer, so that no schema says it. */
const ids: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Contract: { taskId: identifierLimits.usual },
  TaskSubmission: { templateId: identifierLimits.usual, taskType: identifierLimits.usual },
  AgentManifest: { packId: identifierLimits.packId, supportedTaskTypes: identifierLimits.usual },
  AgentHeartbeat: { packId: identifierLimits.packId, instanceId: identifierLimits.usual },
};

export const idText = (most: number): string => `At most ${most} characters; ${identifierForm}.`;

/** A message's schema, with what its ids must be told beside them. */
export function withIdsDescribed(message: string, schema: JsonSchema): JsonSchema {
  const limits = ids[message];
  if (limits === undefined) return schema;
  const properties: Record<string, object> = { ...Object(schema["properties"]) };
  for (const [field, most] of Object.entries(limits))
    properties[field] = { ...properties[field], description: idText(most) };
  return { ...schema, properties };
}
