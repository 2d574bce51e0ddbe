import type { Page } from "@playwright/test";
import { type Figure, percentile } from "./figures.ts";

/** Between two frames while a person turns the wheel; a frame of 60 Hz takes 16.7 ms. */
export async function framesWhileScrolling(page: Page, name: string, turns = 120): Promise<Figure[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { benchFrames: times });
    let before = performance.now();
    const next = (now: number) => {
      times.push(now - before);
      before = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame((now) => {
      before = now;
      requestAnimationFrame(next);
    });
  });
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, turn % 40 < 30 ? 240 : -240);
    await page.waitForTimeout(16);
  }
  const times = await page.evaluate((): number[] => Reflect.get(window, "benchFrames"));
  return [
    { name: `${name}: a frame, p50`, value: percentile(times, 0.5), unit: "ms" },
    { name: `${name}: a frame, p95`, value: percentile(times, 0.95), unit: "ms", wanted: { atMost: 34 } },
    { name: `${name}: the longest frame`, value: Math.max(...times), unit: "ms", wanted: { atMost: 100 } },
  ];
}

/** From the input to the frame that shows what it did, as the browser itself times it. */
export async function interactionTimes(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(window, { benchInteractions: durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const id: unknown = Reflect.get(entry, "interactionId");
        if (typeof id === "number" && id > 0) durations.push(entry.duration);
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: false } as PerformanceObserverInit);
  });
  await act();
  await page.waitForTimeout(500);
  return page.evaluate((): number[] => Reflect.get(window, "benchInteractions"));
}
