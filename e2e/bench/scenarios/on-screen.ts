import { expect } from "@playwright/test";
import { startYard } from "../../agents.ts";
import { type Figure, percentile } from "../measure/figures.ts";
import type { World } from "../world.ts";

const PER_SECOND = 200;
const SECONDS = 10;

/** Lines of a terminal, each sent and committed on its own, are watched for in the log of the attempt that they are of. */
export async function onScreen({ stack, page }: World): Promise<Figure[]> {
  const yard = await startYard(stack);
  const { pipelineId, taskId } = await yard.submit({ script: { "feature-implementation": ["waits"] } });
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}/turns`)))
    .toContain(`${pipelineId}-d0.1`);
  await page.goto(`/pipelines/${pipelineId}/attempts?stage=implement&attempt=1`);
  const log = page.getByRole("log", { name: "What the agent told of its work" });
  await expect(log).toContainText("first I read what is there.");
  await log.evaluate((element) => {
    const seen = new Map<number, number>();
    Object.assign(window, { benchSeen: seen });
    const look = () => {
      const found = [...(element.textContent ?? "").matchAll(/pulse (\d+)\./g)].map((match) =>
        Number(match[1]),
      );
      const fresh = found.filter((number) => !seen.has(number));
      if (fresh.length === 0) return;
      for (const number of fresh) seen.set(number, Number.NaN);
      // The task after the frame is when it has been painted.
      requestAnimationFrame(() =>
        setTimeout(() => {
          for (const number of fresh) seen.set(number, performance.timeOrigin + performance.now());
        }),
      );
    };
    new MutationObserver(look).observe(element, { childList: true, subtree: true, characterData: true });
  });

  const sent = new Map<number, number>();
  const answered = new Map<number, number>();
  const send = async (number: number) => {
    const timestamp = new Date().toISOString();
    sent.set(number, performance.timeOrigin + performance.now());
    await yard.rest("POST", `/v1/dispatches/${pipelineId}-d0.1/events`, {
      events: [
        {
          event_id: crypto.randomUUID(),
          session_id: "bench",
          turn_index: 7,
          sequence: number,
          payload: { type: "SANDBOX_PULSE", line: `pulse ${number}.`, masked: false, timestamp },
        },
      ],
    });
    answered.set(number, performance.timeOrigin + performance.now());
  };
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let number = 0; number < PER_SECOND * SECONDS; number += 1) {
    const due = began + (number * 1000) / PER_SECOND;
    if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    under.push(send(number));
  }
  await Promise.all(under);
  await expect(log).toContainText(`pulse ${PER_SECOND * SECONDS - 1}.`);
  await page.waitForTimeout(500);
  const seen = new Map(
    await page.evaluate((): [number, number][] => [...Reflect.get(window, "benchSeen").entries()]),
  );
  yard.letGo(taskId);
  await yard.stop();

  const since = (from: ReadonlyMap<number, number>) =>
    [...seen].map(([number, at]) => at - (from.get(number) ?? Number.NaN)).filter((ms) => !Number.isNaN(ms));
  const [fromSent, fromAnswered] = [since(sent), since(answered)];
  return [
    {
      name: "events that were on the screen",
      value: (fromSent.length / (PER_SECOND * SECONDS)) * 100,
      unit: "%",
    },
    { name: "from the sending to the screen, p50", value: percentile(fromSent, 0.5), unit: "ms" },
    { name: "from the sending to the screen, p95", value: percentile(fromSent, 0.95), unit: "ms" },
    {
      name: "from the answer, which follows the commit, to the screen, p50",
      value: percentile(fromAnswered, 0.5),
      unit: "ms",
    },
    {
      name: "from the answer, which follows the commit, to the screen, p95",
      value: percentile(fromAnswered, 0.95),
      unit: "ms",
      wanted: { atMost: 150 },
    },
  ];
}
