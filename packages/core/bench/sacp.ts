import { Outcome } from "@signalbox/contracts";
import { readAnswer } from "@signalbox/contracts/sacp";
import { compileCondition, factsOf } from "../src/sacp/condition.ts";

/** A megabyte each, beside `JSON.parse` of a valid answer as long in the same run: only the ratio means anything elsewhere. */
const LENGTH = 1_048_576;
const filled = (piece: string, head = "", tail = ""): string =>
  head + piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH - head.length - tail.length) + tail;
const answerHead = '{"thought":"t","status":"success","message":"m","data":{"value":';

const valid = filled("lorem ipsum ", `${answerHead}"`, '"}}');
const texts = JSON.stringify(Array.from({ length: 174_760 }, () => "abc"));
const hostile: Readonly<Record<string, string>> = {
  prose: filled("lorem ipsum "),
  "open braces": filled("{"),
  "open brackets": filled("[", answerHead),
  "pairs of braces": filled("{}"),
  "braces and quotes": filled('{"'),
  "levels of objects": filled('{"a":'),
  backslashes: filled("\\", '{"'),
  "open fences": filled("```json\n{"),
  fences: filled('```json\n{"a":1}\n```\n'),
  "a text without end": filled("x", '{"a":"'),
  "quotes in a text": filled('x" ', '{"a":"'),
  "quotes and commas": filled('",', '{"a":"'),
  "quotes and line ends": filled('"\n"', '{"a":"'),
  "quotes and gaps": filled(`"${" ".repeat(1_000)}`, '{"a":"'),
  "line ends": filled('{"a":"\n'),
  "texts added up": filled(' + "c"', '{"a":"b"'),
  "commas missing": filled('"x" ', '{"a":['),
  "commas only": filled(",", "{"),
  "names only": filled("a:", "{"),
  digits: filled("1", '{"a":'),
  "small objects": filled('{"a":"b","c":[1,2,3]} '),
  "values without end": filled('"abc",', `${answerHead}[`, '"x"]}}'),
  "a brace too few": filled('"abc",', `${answerHead}[`, '"x"]'),
  comments: filled("// x\n", "{"),
  escaped: filled('\\"b\\" ', '{\\"a\\":'),
  typographic: filled("”", '{"a":“'),
};

function fastest(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...runs);
}

const reference = fastest(() => JSON.parse(texts) as unknown);
console.log(`JSON.parse of a megabyte of short texts ${reference.toFixed(1)} ms`);
const rows = Object.entries({ "a valid answer": valid, ...hostile }).map(([name, text]) => ({
  name,
  took: fastest(() => readAnswer(text)),
}));
for (const { name, took } of rows) {
  console.log(
    `read ${name.padEnd(24)} ${took.toFixed(1).padStart(6)} ms   ratio ${(took / reference).toFixed(2)}`,
  );
}
const worst = rows.toSorted((one, other) => other.took - one.took)[0];
console.log(`slowest: ${worst?.name}, ${worst?.took.toFixed(1)} ms; at most 50 ms are wanted`);

/** A template's worth of conditions, each of its own, as they are asked when stages end. */
const conditions = Array.from({ length: 50 }, (_, edge) =>
  compileCondition(`response.status == "success" && response.data.score > 0.${edge + 10}`),
).flatMap((found) => (found.kind === "compiled" ? found.condition.expression : []));
const facts = factsOf(
  { status: "success", data: { score: 0.9 }, message: "m", nextStepHint: "" },
  Outcome.SUCCESS,
);
const evaluateAll = () => conditions.filter(({ evaluate }) => evaluate(facts).kind === "value").length;
for (let warm = 0; warm < 2_000; warm += 1) evaluateAll();
const fifty = fastest(evaluateAll);
console.log(
  `conditions of ${conditions.length} edges ${fifty.toFixed(3)} ms   ratio ${(fifty / reference).toFixed(3)}; at most 1 ms is wanted`,
);
