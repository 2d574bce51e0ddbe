import { afterAll, beforeAll, expect, test } from "vitest";
import { restClient, type RestClient, withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
const keys = 250;

beforeAll(async () => {
  server = await startTestServer();
  admin = withKey(server, server.adminKey);
  for (let made = 0; made < keys; made += 25) {
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        admin("POST", "/v1/keys", { body: { label: `lantern-${made + index}`, role: "viewer" } }),
      ),
    );
  }
});
afterAll(() => server.dispose());

const exported = async (query = "") => {
  const answer = await fetch(`${server.origin}/v1/audit/export${query}`, {
    headers: bearer(server.adminKey),
  });
  const lines = (await answer.text()).trimEnd().split("\n");
  return { answer, lines: lines.slice(0, -1), end: lines.at(-1) ?? "" };
};

test("an export gives each entry once, as a page gives it, and says when it was whole", async () => {
  const { answer, lines, end } = await exported("?eventType=KEY_CREATED");
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(keys);
  expect(end).toBe(`{"exported":${lines.length}}`);
  const page = await fetch(`${server.origin}/v1/audit?eventType=KEY_CREATED&limit=100`, {
    headers: bearer(server.adminKey),
  });
  expect(await page.text()).toContain(`{"entries":[${lines.slice(0, 100).join(",")}]`);
});

test("as CSV an export is a table of the same entries, and its last row says that it is whole", async () => {
  const { answer, lines, end } = await exported("?eventType=KEY_CREATED&format=csv");
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(lines[0]).toMatch(/^auditId,recordedAt,eventType,/);
  const json = await exported("?eventType=KEY_CREATED");
  expect(lines.slice(1).map((line) => line.slice(0, 36))).toEqual(
    json.lines.map((line) => /"auditId":"([^"]{36})"/.exec(line)?.[1]),
  );
  expect(end).toMatch(new RegExp(`^#exported,${json.lines.length},,`));
  expect((await exported("?format=xls")).answer.status).toBe(422);
});

test("an export is on record before it begins, with what was asked for masked, and is not part of itself", async () => {
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const { lines } = await exported(`?actor=${secret}&from=2020-01-01T00:00:00Z`);
  expect(lines).toEqual([]);
  const { json } = await admin("GET", "/v1/audit?eventType=AUDIT_EXPORTED&limit=1");
  const rationale = json.text("entries", "0", "payload", "rationale");
  expect(rationale).toContain("from ");
  expect(rationale).not.toContain(secret);
  const again = await exported("?eventType=AUDIT_EXPORTED");
  expect(again.lines[0]).toContain(json.text("entries", "0", "auditId"));
});

test("a client that goes leaves nothing behind, and the server answers on", async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const gone = new AbortController();
    const answer = await fetch(`${server.origin}/v1/audit/export`, {
      headers: bearer(server.adminKey),
      signal: gone.signal,
    });
    await answer.body?.getReader().read();
    gone.abort();
  }
  expect((await exported("?eventType=KEY_CREATED&limit=")).answer.status).toBe(422);
  expect((await exported("?eventType=KEY_CREATED")).end).toMatch(/^\{"exported":\d+\}$/);
});

test("HEAD is refused: nothing is worked out, or put on record, to be thrown away", async () => {
  const answer = await fetch(`${server.origin}/v1/audit/export`, {
    method: "HEAD",
    headers: bearer(server.adminKey),
  });
  expect(answer.status).toBe(405);
});

test("words are found, on pages and in exports, and combine with the other filters", async () => {
  const one = await admin("GET", "/v1/audit?q=lantern-249");
  expect(one.json.at("entries")).toHaveLength(1);
  const { lines } = await exported("?q=%22lantern-249%22%20OR%20%22lantern-248%22&eventType=KEY_CREATED");
  expect(lines).toHaveLength(2);
  expect((await admin("GET", "/v1/audit?q=lantern-249&actor=nobody")).json.at("entries")).toEqual([]);
});

test.each([
  ["q=", "q"],
  ["q=-lantern", "q"],
  ["q=%26%7C!", "q"],
  [`q=${"a".repeat(201)}`, "q"],
  ["q=lantern&eventType=GATE_PASSED", "q"],
  ["q=a%00b", "q"],
])("%s is refused, on pages and in exports, before anything is sent or recorded", async (query, field) => {
  for (const path of ["/v1/audit", "/v1/audit/export"]) {
    const { status, json } = await admin("GET", `${path}?${query}`);
    expect({ status, field: json.at("violations", 0, "field") }).toEqual({ status: 422, field });
  }
});

test("who may not read the record may not export it, and nothing is recorded as exported", async () => {
  const made = await admin("POST", "/v1/keys", { body: { label: "viewer", role: "viewer" } });
  const viewer = restClient(server, bearer(made.json.text("secret")));
  expect((await viewer("GET", "/v1/audit/export?eventType=SIGNED_IN")).status).toBe(403);
  const { json } = await admin("GET", '/v1/audit?eventType=AUDIT_EXPORTED&q="SIGNED_IN"');
  expect(json.at("entries")).toEqual([]);
});
