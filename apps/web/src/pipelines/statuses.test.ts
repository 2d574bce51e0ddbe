import { expect, test } from "vitest";
import { pipelineStatus, stageStatus } from "./statuses.ts";

const stage = { status: "STAGE_STATUS_READY", waitsForEscalationId: null, wait: null, notBefore: null };

test("amber and red are for what a person is needed for", () => {
  const calling = ["RUNNING", "PAUSED", "COMPLETED", "FAILED", "ABORTED"].filter((status) =>
    ["caution", "danger"].includes(pipelineStatus(`PIPELINE_STATUS_${status}`).aspect),
  );
  expect(calling).toEqual(["PAUSED", "FAILED"]);
});

test("a stage says what it waits for", () => {
  expect(stageStatus(stage).word).toBe("Waiting for an agent");
  expect(stageStatus({ ...stage, wait: { reason: "no-healthy-instance" } }).word).toBe(
    "Waiting: no healthy instance",
  );
  expect(stageStatus({ ...stage, notBefore: "2030-01-01T00:00:00Z" }).word).toMatch(/^Between attempts$/);
  expect(stageStatus({ ...stage, waitsForEscalationId: "e" })).toEqual({
    word: "Waits for a person",
    aspect: "caution",
  });
});

const aspectOf = (status: string) => stageStatus({ ...stage, status: `STAGE_STATUS_${status}` }).aspect;

test("no train may pass a signal before its gate has judged", () => {
  expect(aspectOf("DISPATCHED")).toBe("unlit");
  expect(aspectOf("COMPLETED")).toBe("clear");
  expect(aspectOf("FAILED")).toBe("danger");
});

test("a status of a newer server is shown by its name, and calls nobody", () => {
  expect(pipelineStatus("PIPELINE_STATUS_SHUNTED")).toEqual({ word: "SHUNTED", aspect: "unlit" });
});
