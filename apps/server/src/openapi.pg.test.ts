import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleWorld } from "./testing/example-world.ts";
import { lint, readDocument, type ReadOperation } from "./testing/open-api.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let source: string;
let document: ReturnType<typeof readDocument>;
const served: string[] = [];
beforeAll(async () => {
  server = await startTestServer({ onRoute: ({ method, url }) => served.push(`${method} ${url}`) });
  source = await (await fetch(`${server.origin}/openapi.json`)).text();
  document = readDocument(JSON.parse(source));
});
afterAll(() => server.dispose());

test("the document is OpenAPI 3.1, and a linter finds no fault in it", async () => {
  expect(source).toMatch(/^\{"openapi":"3\.1\.1"/);
  expect(await lint(source)).toEqual([]);
});

test("every REST route that is served is described, and none that is not", () => {
  const described = document.operations.map(({ method, path }) => `${method} ${path}`);
  const routes = served
    .filter(
      (name) =>
        / \/(v1\/|\.well-known\/|healthz|readyz|openapi\.json|metrics|mcp)/.test(name) &&
        !name.startsWith("HEAD "),
    )
    // A WebSocket, which OpenAPI cannot describe: docs/stream.md does.
    .filter((name) => name !== "GET /v1/stream")
    .map((name) => name.replaceAll(/:(\w+)/g, "{$1}"));
  expect(described.toSorted()).toEqual(routes.toSorted());
});

test("D22 every POST takes an Idempotency-Key, or says why it needs none", () => {
  const silent = document.operations.filter(
    ({ method, parameters, ...rest }) =>
      method === "POST" &&
      !parameters.some(({ name }) => name === "Idempotency-Key") &&
      typeof rest["x-signalbox-repeated"] !== "string",
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

test("each operation's example is sent, and gets what the document promises", async () => {
  const world = exampleWorld(server, document.operations);
  await world.prepare();
  // Who signs in first can do what only a person may; who signs out does so last.
  const inOrder = document.operations.toSorted(
    (one, other) => rank(one.operationId) - rank(other.operationId),
  );
  const faults: Record<string, string[]> = {};
  for (const operation of inOrder) {
    const found = await faultsOf(operation, await world.send(operation));
    if (found.length > 0) faults[operation.operationId] = found;
  }
  expect(faults).toEqual({});
}, 90_000);

const rank = (id: string): number => ({ openSession: 0, closeSession: 2 })[id] ?? 1;

async function faultsOf({ responses }: ReadOperation, answer: Response): Promise<string[]> {
  const promised = responses["201"] === undefined ? Object.keys(responses).find(isSuccess) : "201";
  const text = await answer.text();
  if (String(answer.status) !== promised) return [`${answer.status} where ${promised} is promised: ${text}`];
  const content = responses[promised]?.content;
  if (content === undefined) return text === "" ? [] : ["a body where none is promised"];
  const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "";
  const schema = content[type]?.schema;
  if (schema === undefined) return [`${type} is not promised`];
  // Somebody's bytes and Prometheus's lines are no JSON, and there is nothing more that could be promised of them.
  if (type === "application/octet-stream" || type === "text/plain") return document.faultsOf(schema, text);
  const values = type === "application/x-ndjson" ? text.trimEnd().split("\n") : [text];
  return values.flatMap((value) => document.faultsOf(schema, JSON.parse(value)));
}

const isSuccess = (status: string): boolean => status.startsWith("2");
