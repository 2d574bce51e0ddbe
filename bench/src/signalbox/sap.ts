import { randomUUID } from "node:crypto";
import { apart } from "../measure/apart.ts";
import { keepBusy, type Span } from "../measure/meter.ts";
import { startAgents } from "./agents.ts";
import { openCommands } from "./commands.ts";
import { pipelineTemplates, routingPolicy } from "./documents.ts";
import { manifest } from "./messages.ts";

type Settings = { url: string; span: Span };

const TENANT = "tenant-0";
const AT_ONCE = 128;
const DISPATCHES = 200;

/** By a principle that nobody named no record is asked again (ADR 0066). */
export const sapPolicy = `${routingPolicy}sap_policy:
  principles:
    - principle: blueprint_thinking
`;

/** A task as its sender would write it; the payload is what the cache knows it by. */
const taskOf = (topic: string) => ({
  protocolVersion: "2.0",
  taskId: randomUUID(),
  correlationId: randomUUID(),
  issuedAt: `${new Date().toISOString().slice(0, 19)}Z`,
  issuer: { agentId: "operator", agentKind: "user" },
  target: { capability: "empty" },
  constitutionalContext: {
    pressureLevel: "instant",
    principles: ["blueprint_thinking"],
    cachePolicy: { mode: "prefer", maxAgeSec: 86_400, mustAlign: true },
  },
  payload: { topic, depth: "detailed" },
});

export const sapTasks = apart(import.meta.url, {
  /** Milliseconds of the fastest task that an agent worked on, asked one after the other, and what hits take. */
  async hitsAndDispatches({ url, span }: Settings) {
    const commands = await openCommands(url);
    await commands.prepareTenant(TENANT, {
      manifest: manifest(),
      routingPolicy: sapPolicy,
      pipelineTemplates,
    });
    let reported: (() => void) | undefined;
    const crew = { processName: "one", instancesEach: 1 };
    const agents = await startAgents(commands, [TENANT], crew, { reported: () => reported?.() });
    const dispatch = async (topic: string): Promise<number> => {
      const done = new Promise<void>((resolve) => {
        reported = resolve;
      });
      const began = performance.now();
      const { nack } = await commands.submitSapTask(TENANT, taskOf(topic));
      if (nack !== undefined) throw new Error(nack.error.message);
      await Promise.race([done, agents.failed]);
      return performance.now() - began;
    };
    const dispatches: number[] = [];
    for (let index = 0; index < DISPATCHES; index += 1) dispatches.push(await dispatch(`topic ${index}`));
    const hit = async (): Promise<void> => {
      const { result } = await commands.submitSapTask(TENANT, taskOf("topic 0"));
      if (result?.constitutionalEvidence.cache?.hit !== true)
        throw new Error("the cache was not asked, or had nothing");
    };
    const alone = await keepBusy(1, span, hit);
    const together = await keepBusy(AT_ONCE, span, hit);
    await agents.stop();
    await commands.close();
    const sorted = alone.milliseconds.toSorted((one, other) => one - other);
    return {
      fastestDispatch: Math.min(...dispatches),
      hit: sorted[sorted.length >> 1] ?? 0,
      hitsPerSecond: together.perSecond,
    };
  },
});
