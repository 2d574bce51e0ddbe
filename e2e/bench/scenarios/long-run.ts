import { expect } from "@playwright/test";
import { startYard } from "../../agents.ts";
import { type Figure } from "../measure/figures.ts";
import { framesWhileScrolling } from "../measure/frames.ts";
import type { World } from "../world.ts";

const EVENTS = 50_000;
const BATCH = 1_000;

/** One attempt with fifty thousand events, looked at from its end, scrolled through, and from its start. */
export async function longRun({ stack, page }: World): Promise<Figure[]> {
  const yard = await startYard(stack);
  const { pipelineId, taskId } = await yard.submit({ script: { "feature-implementation": ["waits"] } });
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}/turns`)))
    .toContain(`${pipelineId}-d0.1`);
  const timestamp = new Date().toISOString();
  for (let from = 0; from < EVENTS; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => ({
      event_id: crypto.randomUUID(),
      session_id: "bench",
      turn_index: 7 + Math.floor((from + index) / 500),
      sequence: (from + index) % 500,
      payload: {
        type: "SANDBOX_PULSE",
        line: `line ${from + index} ${"of a long run ".repeat((from + index) % 9)}`,
        masked: false,
        timestamp,
      },
    }));
    await yard.rest("POST", `/v1/dispatches/${pipelineId}-d0.1/events`, { events });
  }
  const log = page.getByRole("log", { name: "What the agent told of its work" });
  const began = performance.now();
  await page.goto(`/pipelines/${pipelineId}/attempts?stage=implement&attempt=1&show=terminal`);
  await expect(log).toContainText(`line ${EVENTS - 1}`);
  const shown = performance.now() - began;
  await log.hover();
  // Upwards, where what is scrolled to has to be read and is put before what is there.
  await page.mouse.wheel(0, -20_000);
  await page.waitForTimeout(300);
  const frames = await framesWhileScrolling(page, "in the log of 50,000 events");
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  yard.letGo(taskId);
  await yard.stop();
  return [
    { name: "the end of 50,000 events, from the address to the screen", value: shown, unit: "ms" },
    ...frames,
    { name: "elements in the page", value: elements, unit: "" },
  ];
}
