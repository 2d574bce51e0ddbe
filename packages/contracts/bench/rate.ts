const WARM_UP_MS = 300;
const ROUND_MS = 400;
const ROUNDS = 5;

/** Runs a second, of the best of some rounds: what disturbs a round only ever makes it slower. */
export function rate(run: () => unknown): number {
  spin(run, WARM_UP_MS);
  return Math.max(...Array.from({ length: ROUNDS }, () => spin(run, ROUND_MS)));
}

function spin(run: () => unknown, milliseconds: number): number {
  const start = performance.now();
  let runs = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let i = 0; i < 50; i++) run();
    runs += 50;
    elapsed = performance.now() - start;
  }
  return (runs / elapsed) * 1000;
}
