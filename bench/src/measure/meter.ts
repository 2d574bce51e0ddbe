import { setTimeout as pause } from "node:timers/promises";

export type Span = { readonly warmUpMs: number; readonly windowMs: number };

/** Counts what is completed, and says how much a second it was in a window that begins after a warm-up. */
export type Meter = {
  readonly count: () => void;
  /** Counts now belong to the window. */
  readonly measuring: () => boolean;
  /** Whatever happens, work goes on until this is true. */
  readonly over: () => boolean;
  /** There is no more to do: a window that has begun ends here. */
  readonly drained: () => void;
  readonly perSecond: Promise<number>;
};

export function createMeter({ warmUpMs, windowMs }: Span): Meter {
  const began = Promise.withResolvers<void>();
  const drained = Promise.withResolvers<void>();
  let total = 0;
  let state: "warming" | "measuring" | "over" = "warming";

  async function measure(): Promise<number> {
    await began.promise;
    await Promise.race([pause(warmUpMs), drained.promise]);
    const [from, before] = [performance.now(), total];
    state = "measuring";
    await Promise.race([pause(windowMs), drained.promise]);
    const [to, after] = [performance.now(), total];
    state = "over";
    if (after === before) throw new Error(`nothing was completed in the window of ${windowMs} ms`);
    return ((after - before) * 1000) / (to - from);
  }

  return {
    count: () => {
      if (total === 0) began.resolve();
      total += 1;
    },
    measuring: () => state === "measuring",
    over: () => state === "over",
    drained: () => drained.resolve(),
    perSecond: measure(),
  };
}

/** Keeps so many under way until the meter has seen enough; resolves with the rate, and each one's milliseconds. */
export async function keepBusy(
  concurrency: number,
  span: Span,
  work: () => Promise<unknown>,
): Promise<{ perSecond: number; milliseconds: number[] }> {
  const meter = createMeter(span);
  const milliseconds: number[] = [];
  const worker = async () => {
    while (!meter.over()) {
      const began = performance.now();
      await work();
      meter.count();
      if (meter.measuring()) milliseconds.push(performance.now() - began);
    }
  };
  const workers = Promise.all(Array.from({ length: concurrency }, worker));
  const [perSecond] = await Promise.all([meter.perSecond, workers]);
  return { perSecond, milliseconds };
}
