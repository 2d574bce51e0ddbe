import { parseArgs } from "node:util";
import { withDurablePostgres } from "./durable-postgres.ts";
import { stopApart } from "./measure/apart.ts";
import { renderFigures } from "./measure/figure-table.ts";
import { scenarios } from "./scenarios/index.ts";

const known = Object.keys(scenarios).join(", ");

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "5" },
      "warm-up": { type: "string", default: "10" },
      past: { type: "string", default: "1000000" },
    },
  });
  const chosen =
    positionals.length > 0 ? positionals : Object.keys(scenarios).filter((name) => scenarios[name]?.short);
  return {
    chosen: chosen.map((name) => {
      const scenario = scenarios[name];
      if (scenario === undefined) throw new RangeError(`no scenario is named ${name}; there are ${known}`);
      return scenario;
    }),
    rounds: atLeastOne("rounds", values.rounds),
    seconds: atLeastOne("seconds", values.seconds),
    warmUp: atLeastOne("warm-up", values["warm-up"]),
    past: atLeastOne("past", values.past),
  };
}

function atLeastOne(name: string, text: string): number {
  const value = Number(text);
  if (!(value >= 1)) throw new RangeError(`--${name}: ${text}; it has to be a number from 1 on`);
  return value;
}

async function main(): Promise<void> {
  const { chosen, rounds, seconds, warmUp, past } = readArguments();
  for (const { title, run } of chosen) {
    console.log(`\n${title}\n`);
    // A server for each: what one scenario leaves behind must not be cleaned up in the next one's time.
    const figures = await withDurablePostgres((server) =>
      run({
        server,
        rounds,
        past,
        span: { warmUpMs: warmUp * 1000, windowMs: seconds * 1000 },
        say: (line) => console.log(`  ${line}`),
      }),
    );
    console.log(`\n${renderFigures(figures)}`);
  }
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    process.exitCode = 130;
    stopApart();
  });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode ??= 1;
}
