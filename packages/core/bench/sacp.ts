import { Outcome } from "@signalbox/contracts";
import { readAnswer } from "@signalbox/contracts/sacp";
import { compileCondition, factsOf } from "../src/sacp/condition.ts";

/** A megabyte each, beside `JSON.parse` of a valid answer as long in the same run: only the ratio means anything elsewhere. */
const LENGTH = 1_048_576;
const filled = (piece: string, head = "", tail = "", length = LENGTH): string =>
  head + piece.repeat(Math.ceil(length / piece.length)).slice(0, length - head.length - tail.length) + tail;
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

function fastest(work: () => unknown, times = 5): number {
  const runs = Array.from({ length: times }, () => {
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
/** What nobody thought of: pieces between beginnings and ends; the dearest at each length are tried at a greater one. */
const heads = [
  "",
  "{",
  '{"',
  "[",
  '{"a":',
  '{"a":"',
  '{"a":[',
  `${answerHead}[`,
  `${answerHead}"`,
  "```json\n{",
  "x {",
  '"{',
  '{\\"',
  "{'",
];
const tails = ["", "}", "}}", "]}}", '"}', '"}}', "x"];
const signs = [
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "a",
  "1",
  " ",
  "\n",
  "'",
  "“",
  "”",
  "`",
  "//",
  "/*",
  "*/",
  "...",
  "```",
  "+",
  "=",
  ".",
  "-",
  "é",
  "\u2028",
];
const members = [
  '"a":1,',
  '"a":"b",',
  '"":0,',
  "a:1,",
  '"a":{},',
  '"a":[],',
  '"a" ',
  '"x" + ',
  '"status":1,',
  '"thought":"t",',
  '"__proto__":1,',
];
const wholes = [
  "{}",
  "[]",
  '{"a":',
  '{"a":1}',
  "{a:1}",
  "```json\n",
  "null,",
  " //",
  "1.",
  "1e",
  ".1",
  "0e+",
  '\\"',
  "\\u0041",
];
const pieces = [
  ...signs,
  ...members,
  ...wholes,
  ...signs.flatMap((one) => signs.map((other) => one + other)),
];
type Shape = readonly [head: string, piece: string, tail: string];
const timed = (shapes: readonly Shape[], length: number, runs: number) =>
  shapes
    .map(([head, piece, tail]) => {
      const text = filled(piece, head, tail, length);
      return { shape: [head, piece, tail] as const, took: fastest(() => readAnswer(text), runs) };
    })
    .toSorted((one, other) => other.took - one.took);
const allShapes = heads.flatMap((head) =>
  pieces.flatMap((piece) => tails.map((tail): Shape => [head, piece, tail])),
);
/** One in so many, spread over all: to try each takes minutes on a busy machine. It shares no factor with their counts. */
const EVERY = 23;
const someShapes = allShapes.filter((_, index) => index % EVERY === 0);
/** Those that were dearest when each shape was tried, before and after texts that are no JSON were given up at their first fault. */
const dearestOfAll: readonly Shape[] = [
  ...['{"a":', '{"a":[', `${answerHead}[`].flatMap((head) =>
    [" ”", "” "].flatMap((piece) => ["}}", "]}}", '"}}'].map((tail): Shape => [head, piece, tail])),
  ),
  ...members.flatMap((piece) => ["{", "```json\n{"].map((head): Shape => [head, piece, "}}"])),
  ["{", "  ", "}}"],
  ["{", "\n ", "}}"],
  ...["-\n", "a\n", "1\n"].map((piece): Shape => [`${answerHead}[`, piece, "}}"]),
];
const shapesOf = (found: ReturnType<typeof timed>, most: number) =>
  found.slice(0, most).map(({ shape }) => shape);
const at2k = timed(someShapes, 2_048, 1);
const at32k = timed(shapesOf(at2k, 300), 32_768, 1);
const at256k = timed(shapesOf(at32k, 60), 262_144, 2);
const dearest = timed([...shapesOf(at256k, 20), ...dearestOfAll], LENGTH, 3);
for (const { shape, took } of dearest.slice(0, 5)) {
  console.log(
    `found ${JSON.stringify(shape)} ${took.toFixed(1)} ms   ratio ${(took / reference).toFixed(2)}`,
  );
}
rows.push(...dearest.map(({ shape, took }) => ({ name: JSON.stringify(shape), took })));
console.log(
  `searched ${someShapes.length} of ${allShapes.length} shapes, beside ${dearestOfAll.length} that are always tried`,
);

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
