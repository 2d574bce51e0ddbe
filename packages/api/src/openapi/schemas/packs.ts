import { AgentManifestSchema, HealthStatusSchema, RiskTierSchema } from "@signalbox/contracts";
import { z } from "zod";
import { pageOf, time } from "./common.ts";
import { component, contractMessage, namesOf } from "./component.ts";

const registration = { registeredAt: time, registeredBy: z.string() };

export const pack = component(
  "RegisteredPack",
  z.strictObject({ manifest: contractMessage(AgentManifestSchema), ...registration }),
);

const packSummary = component(
  "PackSummary",
  z.strictObject({
    packId: z.string(),
    packVersion: z.string(),
    safetyTier: namesOf(RiskTierSchema),
    supportedTaskTypes: z.array(z.string()),
    ...registration,
  }),
);
export const packPage = pageOf("PackPage", "packs", packSummary);

export const instance = component(
  "Instance",
  z.strictObject({
    packId: z.string(),
    instanceId: z.string(),
    packVersion: z.string().nullable(),
    presence: z.enum(["quarantined", "away", "draining", "present"]),
    healthStatus: namesOf(HealthStatusSchema),
    openDispatches: z.int().min(0).meta({ description: "By Signalbox's own count." }),
    maxTasks: z.int().nullable(),
    activeTasks: z.int().nullable().meta({ description: "By its own word, as what follows." }),
    queuedTasks: z.int().nullable(),
    errorRate: z.number().nullable().meta({ description: "Share of failed tasks of the last minute." }),
    averageLatencyMs: z.number().nullable(),
    availableTools: z.array(z.string()),
    degradedTools: z.array(z.string()),
    firstSeenAt: time,
    heardAt: time,
    leaseExpiresAt: time,
    consecutiveInvalidResults: z.int().min(0),
    quarantine: z
      .strictObject({
        since: time,
        reason: z.string(),
        probationAt: time.nullable().meta({
          description:
            "When the policy in force lets it work again, on probation; null where only a person does.",
        }),
      })
      .nullable(),
    probation: z.strictObject({ since: time, reason: z.string() }).nullable().meta({
      description:
        "The next invalid result quarantines it again, the next valid one ends this. `reason` is what it was quarantined for.",
    }),
    draining: z
      .strictObject({ since: time, reason: z.string() })
      .nullable()
      .meta({ description: "Since when it is asked to finish what it has and take no more, and why." }),
  }),
);
export const instancePage = pageOf("InstancePage", "instances", instance);

export const heartbeatAnswer = component(
  "HeartbeatAnswer",
  z.strictObject({
    leaseExpiresAt: time,
    healthStatus: namesOf(HealthStatusSchema),
    cancelDispatchIds: z.array(z.string()),
    drain: z.boolean(),
  }),
);
