import { median } from "./statistics.ts";

type Figures = Readonly<Record<string, number>>;
type Runs = Readonly<Record<string, () => Promise<Figures>>>;
type FiguresOf<R extends Runs> = { [Name in keyof R]: Awaited<ReturnType<R[Name]>> };

/**
 * Runs all one after another, and that several times: what disturbs the machine for a while disturbs all of them alike.
 * Resolves with the median of each figure.
 */
export async function measureInRounds<R extends Runs>(
  rounds: number,
  runs: R,
  say: (line: string) => void,
): Promise<FiguresOf<R>> {
  const seen: Record<string, Figures[]> = {};
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const figures = await run();
      (seen[name] ??= []).push(figures);
      say(`${round}/${rounds} ${name}: ${inOneLine(figures)}`);
    }
  }
  return Object.fromEntries(
    Object.entries(seen).map(([name, figures]) => [name, mediansOf(figures)]),
  ) as FiguresOf<R>;
}

function mediansOf(figures: readonly Figures[]): Figures {
  const names = Object.keys(figures[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(figures.map((one) => one[name] ?? Number.NaN))]),
  );
}

const inOneLine = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value >= 100 ? Math.round(value) : value.toPrecision(3)}`)
    .join(", ");
