import { create } from "@bufbuild/protobuf";
import { type TaskEnvelope, TaskEnvelopeSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import type { Commands } from "./commands.ts";
import { keepPipelinesUnderWay } from "./load.ts";

const STAGES = ["first", "second", "third"];

/** Pipelines of three stages in memory; `refuse` is asked before a result is taken. */
function commandsInMemory(refuse: (dispatchId: string) => boolean = () => false) {
  const ready = new Map<string, TaskEnvelope[]>();
  const seen = { submitted: 0, reported: new Set<string>(), underWay: 0, mostUnderWay: 0 };
  const dispatch = (tenantId: string, pipelineId: string, stage: number) => {
    const queue = ready.get(tenantId) ?? [];
    ready.set(tenantId, queue);
    queue.push(
      create(TaskEnvelopeSchema, {
        protocolVersion: { schemaVersion: "1.0.0" },
        trace: { traceId: pipelineId, spanId: "span", tenantId },
        execution: {
          dispatchId: `${pipelineId}-d${stage}.1`,
          attemptNumber: 1,
          idempotencyKey: `${pipelineId}/${STAGES[stage]}`,
        },
      }),
    );
  };
  const commands: Commands = {
    prepareTenant: () => Promise.resolve(),
    heartbeat: () => Promise.resolve(),
    close: () => Promise.resolve(),
    submitTask: (tenantId) => {
      seen.submitted += 1;
      seen.underWay += 1;
      seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay);
      const pipelineId = `${tenantId}/p${seen.submitted}`.replace("/", "-");
      dispatch(tenantId, pipelineId, 0);
      return Promise.resolve({ pipelineId });
    },
    submitSapTask: () => Promise.reject(new Error("this load has no tasks of SAP")),
    lease: async (tenantId, { maxTasks }) => {
      await new Promise((resolve) => setImmediate(resolve));
      return (ready.get(tenantId) ?? []).splice(0, maxTasks);
    },
    reportResult: (tenantId, { dispatchId }) => {
      if (refuse(dispatchId)) return Promise.reject(new Error(`${dispatchId} is refused`));
      const [, pipelineId = "", stage = ""] = /^(.*)-d(\d)\.1$/.exec(dispatchId) ?? [];
      seen.reported.add(dispatchId);
      if (Number(stage) < STAGES.length - 1) dispatch(tenantId, pipelineId, Number(stage) + 1);
      else seen.underWay -= 1;
      return Promise.resolve();
    },
  };
  return { commands, seen };
}

const load = (commands: Commands, finished: string[], wanted: number) => ({
  commands,
  tenants: ["one", "two", "three"],
  inFlight: 7,
  crew: { processName: "test", instancesEach: 2 },
  goOn: () => finished.length < wanted,
  finished: (tenantId: string, pipelineId: string) => void finished.push(`${tenantId} ${pipelineId}`),
});

test("each pipeline that ends is followed by another, and all that were begun are worked off", async () => {
  const { commands, seen } = commandsInMemory();
  const finished: string[] = [];
  await keepPipelinesUnderWay(load(commands, finished, 60));
  expect(finished).toHaveLength(seen.submitted);
  expect(new Set(finished).size).toBe(seen.submitted);
  expect(seen.reported.size).toBe(seen.submitted * STAGES.length);
  expect(seen.mostUnderWay).toBe(7);
  expect(seen.submitted).toBeGreaterThanOrEqual(60);
});

test("a refused result ends the run with what was refused", async () => {
  const { commands } = commandsInMemory((dispatchId) => dispatchId === "one-p4-d1.1");
  await expect(keepPipelinesUnderWay(load(commands, [], 60))).rejects.toThrow("one-p4-d1.1 is refused");
});
