import type { AnswerSource } from "../read-answer.ts";
import type { SacpResponse } from "../response.ts";

/** Outputs as models write them, good and bad, with the answer that each means; null where it means none. */
type ModelOutput = {
  readonly name: string;
  readonly output: string;
  readonly means: SacpResponse | null;
  readonly source?: AnswerSource;
};

const good = {
  thought: "5+5 is 10.",
  status: "success",
  data: { result: 10 },
  message: "It is 10.",
} as const;
const json = JSON.stringify(good);
const pretty = JSON.stringify(good, null, 4);
const says = (changes: Partial<SacpResponse>): SacpResponse => ({ ...good, ...changes });
const fenced = (text: string, language = "json") => `\`\`\`${language}\n${text}\n\`\`\``;

const asAsked: readonly ModelOutput[] = [
  { name: "plain JSON", output: json, means: good, source: "json" },
  { name: "pretty JSON between blank lines", output: `\n\n${pretty}\n \n`, means: good, source: "json" },
  { name: "a byte order mark first", output: `\ufeff${json}`, means: good, source: "json" },
  {
    name: "a message with a fence in it",
    output: JSON.stringify(says({ message: fenced("{}") })),
    means: says({ message: fenced("{}") }),
    source: "json",
  },
  {
    name: "a hint for what comes next",
    output: JSON.stringify(says({ next_step_hint: "validate" })),
    means: says({ next_step_hint: "validate" }),
  },
  { name: "a hint that is null", output: json.replace(/\}$/, ',"next_step_hint":null}'), means: good },
  { name: "a status in capitals", output: json.replace("success", "SUCCESS "), means: good },
  {
    name: "fields beyond the schema",
    output: json.replace(/\}$/, ',"confidence":0.9}'),
    means: { ...good, confidence: 0.9 },
  },
  {
    name: "the status completed",
    output: json.replace('"success"', '"completed"'),
    means: says({ status: "completed" }),
  },
  {
    name: "a question",
    output: json.replace('"success"', '"clarification_needed"'),
    means: says({ status: "clarification_needed" }),
  },
  { name: "the whole object as one JSON string", output: JSON.stringify(json), means: good, source: "json" },
];

const wrapped: readonly ModelOutput[] = [
  { name: "a json fence", output: fenced(json), means: good, source: "fenced" },
  { name: "a fence without a language", output: fenced(pretty, ""), means: good, source: "fenced" },
  {
    name: "a fence in capitals with Windows line ends",
    output: fenced(pretty, "JSON").replaceAll("\n", "\r\n"),
    means: good,
    source: "fenced",
  },
  { name: "a fence on one line", output: `\`\`\`json ${json}\`\`\``, means: good, source: "fenced" },
  {
    name: "filler around a fence",
    output: `Sure! Here you go:\n${fenced(pretty)}\nAnything else?`,
    means: good,
    source: "fenced",
  },
  {
    name: "a draft and then the answer, both fenced",
    output: `${fenced(JSON.stringify(says({ message: "Draft" })))}\nBetter:\n${fenced(json)}`,
    means: good,
    source: "fenced",
  },
  {
    name: "code in a fence, then the answer in one",
    output: `${fenced("x = {1: 2}", "python")}\n${fenced(json)}`,
    means: good,
    source: "fenced",
  },
  { name: "a fence that is never closed", output: `\`\`\`json\n${json}`, means: good, source: "fenced" },
  {
    name: "a fenced answer whose message has a fence",
    output: fenced(JSON.stringify(says({ message: fenced("code", "ts") }))),
    means: says({ message: fenced("code", "ts") }),
    source: "braces",
  },
  { name: "filler before", output: `Here is the JSON you asked for: ${json}`, means: good, source: "braces" },
  { name: "filler after", output: `${json}\n\nI hope this helps!`, means: good, source: "braces" },
  { name: "a list around it", output: `[${json}]`, means: good, source: "braces" },
  {
    name: "tool calls as JSON, then the answer (§8)",
    output: `{"tool":"search","args":{"q":"5+5"}}\n{"tool_result":"10"}\n${json}`,
    means: good,
    source: "braces",
  },
  {
    name: "braces in the filler",
    output: `I thought of {a, b} first.\n${json}\nSo {done}.`,
    means: good,
    source: "braces",
  },
  {
    name: "thinking in tags",
    output: `<thinking>maybe {"status":"failure"}?</thinking>\n${json}`,
    means: good,
    source: "braces",
  },
  {
    name: "a draft in the thinking, fenced",
    output: `<think>\nFirst:\n${fenced(JSON.stringify(says({ status: "failure", message: "No." })))}\n</think>\n\n${json}`,
    means: good,
    source: "braces",
  },
  {
    name: "thinking with a brace and a quote that are never closed",
    output: `<THINKING>if (x) { return "a; {b}</THINKING>\nSo:\n${fenced(pretty)}`,
    means: good,
    source: "fenced",
  },
  {
    name: "an answer that speaks of the tag",
    output: `${JSON.stringify(says({ message: "It ends in </think> {so}." }))}\nDone.`,
    means: says({ message: "It ends in </think> {so}." }),
    source: "braces",
  },
  {
    name: "an answer, and then the format in the filler",
    output: `${json}\nI kept to {"thought": …, "status": …} as asked, and {`,
    means: good,
    source: "braces",
  },
  { name: "a heading and a bullet", output: `### Answer\n- ${json}`, means: good, source: "braces" },
];

const bent: readonly ModelOutput[] = [
  {
    name: "trailing commas",
    output: '{"thought":"5+5 is 10.","status":"success","data":{"result":10,},"message":"It is 10.",}',
    means: good,
  },
  {
    name: "single quotes",
    output: "{'thought':'5+5 is 10.','status':'success','data':{'result':10},'message':'It is 10.'}",
    means: good,
  },
  {
    name: "single quotes around an apostrophe",
    output: "{'thought':'it's 10','status':'success','data':{'result':10},'message':'It is 10.'}",
    means: says({ thought: "it's 10" }),
  },
  {
    name: "typographic quotes",
    output: "{“thought”: “5+5 is 10.”, “status”: “success”, “data”: {“result”: 10}, “message”: “It is 10.”}",
    means: good,
  },
  {
    name: "backticks",
    output: "{`thought`: `5+5 is 10.`, `status`: `success`, `data`: {`result`: 10}, `message`: `It is 10.`}",
    means: good,
  },
  {
    name: "names without quotes",
    output: '{thought: "5+5 is 10.", status: "success", data: {result: 10}, message: "It is 10."}',
    means: good,
  },
  {
    name: "a status without quotes",
    output: '{"thought":"5+5 is 10.","status": success,"data":{"result":10},"message":"It is 10."}',
    means: good,
  },
  {
    name: "commas missing at line ends",
    output:
      '{\n"thought": "5+5 is 10."\n"status": "success"\n"data": {"result": 10}\n"message": "It is 10."\n}',
    means: good,
  },
  {
    name: "commas missing on a line",
    output: '{"thought": "5+5 is 10." "status": "success" "data": {"result": 10} "message": "It is 10."}',
    means: good,
  },
  {
    name: "a colon missing",
    output: '{"thought" "5+5 is 10.","status":"success","data":{"result":10},"message":"It is 10."}',
    means: good,
  },
  {
    name: "equals signs and arrows",
    output:
      '{"thought" = "5+5 is 10.", "status" => "success", "data": {"result": 10}, "message": "It is 10."}',
    means: good,
  },
  {
    name: "line comments",
    output:
      '{\n// thinking\n"thought":"5+5 is 10.", // done\n"status":"success","data":{"result":10},"message":"It is 10."}',
    means: good,
  },
  {
    name: "block comments",
    output:
      '{"thought":"5+5 is 10.",/* as asked */"status":"success","data":{"result":10},"message":"It is 10."}',
    means: good,
  },
  {
    name: "an ellipsis in a list",
    output: '{"thought":"5+5 is 10.","status":"success","data":{"list":[1,2,...]},"message":"It is 10."}',
    means: says({ data: { list: [1, 2] } }),
  },
  {
    name: "quotes inside a text",
    output:
      '{"thought":"He said "five" twice","status":"success","data":{"result":10},"message":"It is 10."}',
    means: says({ thought: 'He said "five" twice' }),
  },
  {
    name: "quotes inside a text, then a comma",
    output:
      '{"thought":"He said "five", and "five"","status":"success","data":{"result":10},"message":"It is 10."}',
    means: says({ thought: 'He said "five", and "five"' }),
  },
  {
    name: "line ends inside a text",
    output: '{"thought":"5+5\nis 10.","status":"success","data":{"result":10},"message":"It\r\nis 10."}',
    means: says({ thought: "5+5\nis 10.", message: "It\r\nis 10." }),
  },
  {
    name: "tabs inside a text",
    output: '{"thought":"a\tb","status":"success","data":{"result":10},"message":"It is 10."}',
    means: says({ thought: "a\tb" }),
  },
  {
    name: "escapes that JSON has not",
    output: String.raw`{"thought":"it\'s \d","status":"success","data":{"result":10},"message":"It is 10."}`,
    means: says({ thought: "it's d" }),
  },
  {
    name: "a broken unicode escape",
    output: String.raw`{"thought":"\u12 \u00e9","status":"success","data":{"result":10},"message":"It is 10."}`,
    means: says({ thought: "u12 é" }),
  },
  {
    name: "Python's words",
    output:
      "{'thought':'5+5 is 10.','status':'success','data':{'a':True,'b':False,'c':None},'message':'It is 10.'}",
    means: says({ data: { a: true, b: false, c: null } }),
  },
  {
    name: "numbers that are not JSON's",
    output:
      '{"thought":"5+5 is 10.","status":"success","data":{"a":+1,"b":.5,"c":5.,"d":1e3,"e":NaN},"message":"It is 10."}',
    means: says({ data: { a: 1, b: 0.5, c: 5, d: 1000, e: null } }),
  },
  {
    name: "the last brace missing",
    output: '{"thought":"5+5 is 10.","status":"success","data":{"result":10},"message":"It is 10."',
    means: good,
  },
  {
    name: "brackets missing inside",
    output: '{"thought":"5+5 is 10.","status":"success","data":{"list":[1,2},"message":"It is 10."}',
    means: says({ data: { list: [1, 2] } }),
  },
  { name: "one brace too many", output: `${json}}`, means: good },
  { name: "two braces first", output: `{${json}`, means: good },
  {
    name: "texts added up",
    output: '{"thought":"5+5 " + "is 10.","status":"success","data":{"result":10},"message":"It is 10."}',
    means: good,
  },
  { name: "escaped as if it stood in a text", output: json.replaceAll('"', String.raw`\"`), means: good },
  {
    name: "fenced and bent",
    output: fenced("{thought: '5+5 is 10.', status: 'success', data: {result: 10,}, message: 'It is 10.',}"),
    means: good,
    source: "repaired",
  },
  {
    name: "filler before, bent, filler after",
    output:
      "Sure:\n{thought: '5+5 is 10.', status: 'success', data: {result: 10}, message: 'It is 10.'}\nBye!",
    means: good,
    source: "repaired",
  },
  {
    name: "a draft, and then a bent correction",
    output: `${json}\nWait, that is wrong:\n{thought: 'I was wrong', status: 'failure', data: {}, message: 'No.'}`,
    means: { thought: "I was wrong", status: "failure", data: {}, message: "No." },
    source: "repaired",
  },
  {
    name: "a draft, and then a bent correction, both fenced",
    output: `${fenced(json)}\nWait:\n${fenced("{thought: 'I was wrong', status: 'failure', data: {}, message: 'No.',}")}`,
    means: { thought: "I was wrong", status: "failure", data: {}, message: "No." },
    source: "repaired",
  },
  {
    name: "an answer, and then code in a fence and braces in the filler",
    output: `${fenced(json)}\nIt is {called} by:\n${fenced("{a: 'b', message: 'c'}", "js")}`,
    means: good,
    source: "fenced",
  },
  {
    name: "an address in a text",
    output:
      '{"thought":"see http://a.example/b","status":"success","data":{"result":10},"message":"It is 10.",}',
    means: says({ thought: "see http://a.example/b" }),
  },
  {
    name: "half a character",
    output: String.raw`{"thought":"\ud83d","status":"success","data":{"result":10},"message":"It is 10."}`,
    means: says({ thought: "\ufffd" }),
  },
  {
    name: "U+0000 in a text",
    output: String.raw`{"thought":"a\u0000b","status":"success","data":{"result":10},"message":"It is 10."}`,
    means: says({ thought: "a\ufffdb" }),
  },
  {
    name: "__proto__ as a name",
    output: json.replace('{"result":10}', '{"__proto__":{"admin":true},"result":10}'),
    means: good,
  },
  {
    name: "a name twice in the data: the last counts",
    output: json.replace('"result":10', '"result":9,"result":10'),
    means: good,
  },
  {
    name: "a member's name in the data as well",
    output: json.replace('"result":10', '"result":10,"status":"failure"'),
    means: says({ data: { result: 10, status: "failure" } }),
  },
];

const meaningless: readonly ModelOutput[] = [
  { name: "nothing", output: "", means: null },
  { name: "white space", output: " \n\t ", means: null },
  { name: "prose", output: "I am sorry, I cannot do that.", means: null },
  { name: "another language", output: "Désolé, je ne peux pas.", means: null },
  { name: "a number", output: "10", means: null },
  { name: "null", output: "null", means: null },
  { name: "a list", output: "[1, 2, 3]", means: null },
  { name: "XML", output: "<answer><status>success</status></answer>", means: null },
  { name: "YAML", output: "thought: 5+5\nstatus: success\ndata:\n  result: 10\nmessage: ten", means: null },
  { name: "an empty object", output: "{}", means: null },
  { name: "an object of another kind", output: '{"answer": 10}', means: null },
  { name: "a status that is none", output: json.replace("success", "needs_input"), means: null },
  { name: "data as a list", output: json.replace('{"result":10}', "[10]"), means: null },
  { name: "no data", output: '{"thought":"t","status":"success","message":"m"}', means: null },
  { name: "no thought", output: '{"status":"success","data":{},"message":"m"}', means: null },
  {
    name: "a message that is a number",
    output: '{"thought":"t","status":"success","data":{},"message":10}',
    means: null,
  },
  {
    name: "broken off inside a text",
    output: '{"thought":"5+5 is 10.","status":"success","data":{"result":10},"message":"It is',
    means: null,
  },
  {
    name: "broken off inside its data",
    output: '{"thought":"t","status":"success","message":"m","data":{"list":["a","b',
    means: null,
  },
  ...["15", "[1,2", "[1,2,", "[1,2]", '"15"', "true", "{}", "15\n```", "15, ..."].map((data) => ({
    name: `broken off in its data behind ${data}`,
    output: `{"thought":"t","status":"success","message":"m","data":{"amount":${data}`,
    means: null,
  })),
  {
    name: "fenced and broken off",
    output: '```json\n{"thought":"t","status":"success","message":"m","data":{"amount":15\n```\nDone.',
    means: null,
  },
  {
    name: "broken off behind a draft in the thinking",
    output: `<think>Perhaps ${json}</think>\n{"thought":"t","status":"failure","data":{"a":`,
    means: null,
  },
  {
    name: "a draft, and then a correction that is broken off",
    output: `${json}\nNo, wait:\n{"thought":"t","status":"failure","data":{"a":`,
    means: null,
  },
  {
    name: "a draft, and then a correction that is broken off, both fenced",
    output: `${fenced(json)}\nNo, wait:\n\`\`\`json\n{"thought":"t","status":"fail`,
    means: null,
  },
  { name: "broken off inside a number", output: json.replace(/\}$/, ',"confidence":0.9'), means: null },
  { name: "broken off behind a comma", output: json.replace(/\}$/, ","), means: null },
  {
    name: "two statuses",
    output: json.replace('"status":', '"status":"failure","status":'),
    means: null,
  },
  {
    name: "two statuses, one of them escaped",
    output: json.replace('"status":', String.raw`"st\u0061tus" : "failure","status":`),
    means: null,
  },
  {
    name: "two statuses in what is not quite JSON",
    output: "{thought: 't', status: 'failure', data: {}, message: 'm', status: 'success'}",
    means: null,
  },
  {
    name: "a draft, and then an answer with two messages",
    output: `${json}\n${json.replace('"message"', '"message":"No.","message"')}`,
    means: null,
  },
  {
    name: "broken off behind a colon",
    output: '{"thought":"t","status":"success","message":"m","data":',
    means: null,
  },
  {
    name: "the answer quoted in a refusal",
    output: 'I would answer {"thought": ..., "status": ...} but may not.',
    means: null,
  },
  { name: "a number that no double can be", output: json.replace("10}", "1e999}"), means: null },
  {
    name: "levels without end",
    output: json.replace("10}", `${"[".repeat(100)}${"]".repeat(100)}}`),
    means: null,
  },
  { name: "values without end", output: json.replace("10}", `[${"1,".repeat(50_000)}1]}`), means: null },
  { name: "an error of the provider", output: '{"error":{"message":"overloaded","code":529}}', means: null },
];

export const modelOutputs: readonly ModelOutput[] = [...asAsked, ...wrapped, ...bent, ...meaningless];
export { good as goodAnswer };
