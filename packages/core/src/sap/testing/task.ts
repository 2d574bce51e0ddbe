import type { Task } from "@signalbox/contracts/sap";
import { NOW } from "../../dispatch/testing/registry.ts";
import {
  type CapabilityRule,
  type PrincipleRule,
  type SapSection,
  WHOLE_PAYLOAD,
} from "../../documents/sap-section.ts";

type Context = Task["constitutionalContext"];

const issuedAt = `${new Date(NOW).toISOString().slice(0, 19)}Z`;

/** A task as somebody would issue it; what a test is about it says itself. */
export const sapTask = (said: Partial<Task> = {}, context: Partial<Context> = {}): Task => ({
  protocolVersion: "2.0",
  taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
  issuedAt,
  issuer: { agentId: "prime", agentKind: "agent" },
  target: { capability: "consult" },
  payload: { topic: "SAP", depth: 2 },
  ...said,
  constitutionalContext: { pressureLevel: "instant", principles: ["blueprint"], ...context },
});

export const capabilityRule = (said: Partial<CapabilityRule> = {}): CapabilityRule => ({
  capability: "consult",
  work: { case: "taskType", value: "consult" },
  issuers: undefined,
  essence: WHOLE_PAYLOAD,
  maxCacheAgeMs: undefined,
  ...said,
});

export const principleRule = (principle: string, said: Partial<PrincipleRule> = {}): PrincipleRule => ({
  principle,
  checks: ["tests"],
  escalateAbove: undefined,
  refuseAbove: undefined,
  ...said,
});

export const section = (said: Partial<SapSection> = {}): SapSection => ({
  capabilities: [],
  principles: [],
  playbooks: [],
  ...said,
});
