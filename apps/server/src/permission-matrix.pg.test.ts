import { procedures } from "@signalbox/api";
import { type Action, actions, may, type Role, roles } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ids, requestOf } from "./testing/example-request.ts";
import { exampleWorld } from "./testing/example-world.ts";
import { readDocument, type ReadOperation } from "./testing/open-api.ts";
import { packId } from "./testing/plain-agent.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let operations: readonly ReadOperation[];
const keys = new Map<Role, string>();
beforeAll(async () => {
  server = await startTestServer();
  const source = await fetch(`${server.origin}/openapi.json`);
  operations = readDocument(await source.json()).operations;
  for (const role of roles) keys.set(role, await server.keyOf(role, "matrix"));
});
afterAll(() => server.dispose());

/** What the permission table says of a key with this role, whichever pack it speaks of. */
const allows = (role: Role, action: Action): boolean => {
  const actor = { type: role === "agent" ? "agent" : "system", id: "key/matrix" } as const;
  return may({ tenantId: "matrix", actor, role, credential: "key" }, action, { packId }).allowed;
};
const isAction = (name: unknown): name is Action => actions.some((action) => action === name);
const verdictOf = (status: number) => (status === 401 || status === 403 ? status : "let in");
const isOpen = ({ security }: ReadOperation): boolean => security.length === 0;

const sent = async (operation: ReadOperation, credentials: Record<string, string>, ids: Ids = {}) =>
  fetch(requestOf(operation, server.origin, { ids, credentials }));

/** By role, what each operation answers, and what the table says that it should. */
async function matrixOf(role: Role | "nobody") {
  const [told, expected]: Record<string, unknown>[] = [{}, {}];
  for (const operation of operations) {
    const action = operation["x-signalbox-action"];
    const name = `${operation.method} ${operation.path}`;
    if (isOpen(operation)) continue;
    const answer = await sent(operation, role === "nobody" ? {} : bearer(keys.get(role) ?? ""));
    await answer.body?.cancel();
    Object.assign(told ?? {}, { [name]: verdictOf(answer.status) });
    const allowed = role !== "nobody" && (!isAction(action) || allows(role, action));
    Object.assign(expected ?? {}, { [name]: role === "nobody" ? 401 : allowed ? "let in" : 403 });
  }
  return { told, expected };
}

describe("D15 REST", () => {
  test("each operation names its action in the permission table, or is open to everybody", () => {
    const unnamed = operations.filter((one) => !isOpen(one) && !isAction(one["x-signalbox-action"]));
    expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
    const open = operations.filter(isOpen).map(({ method, path }) => `${method} ${path}`);
    expect(open.toSorted()).toEqual(openOperations.toSorted());
  });

  test.each([...roles, "nobody"] as const)(
    "%s is let in where the permission table says so, and nowhere else",
    async (role) => {
      const { told, expected } = await matrixOf(role);
      expect(told).toEqual(expected);
      expect(Object.keys(told ?? {}).length).toBeGreaterThan(30);
    },
    60_000,
  );

  test("another tenant's and what never was look the same", async () => {
    const world = exampleWorld(server, operations);
    await world.prepare();
    // What a person does for the examples is done in their session.
    for (const one of operations) if (one.operationId === "openSession") await world.send(one);
    const foreign = bearer(await server.keyOf("admin", "elsewhere"));
    const faults: Record<string, unknown> = {};
    for (const operation of operations.filter(({ path }) => path.includes("{"))) {
      if (isOpen(operation)) continue;
      const ids = await world.idsOf(operation);
      const theirs = await described(await sent(operation, foreign, ids), ids);
      const missing = await described(await sent(operation, foreign), {});
      if (theirs !== missing) faults[operation.operationId] = { theirs, missing };
    }
    expect(faults).toEqual({});
  }, 60_000);
});

const openOperations = ["GET /healthz", "GET /openapi.json", "GET /readyz", "POST /v1/session"];

/** What the caller learns, in the document's names: the ids that were asked for, and the request's own, are no news. */
async function described(answer: Response, ids: Ids): Promise<string> {
  const text = (await answer.text()).replace(/"requestId":"[^"]*"/, "");
  const named = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(id, name), text);
  return `${answer.status} ${named}`;
}

describe("D15 tRPC", () => {
  test("every procedure that is not open asks who asks", async () => {
    for (const { path, type } of procedures) {
      if (openProcedures.has(path) || type === "subscription") continue;
      const method = type === "mutation" ? "POST" : "GET";
      const init = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
      const { status } = await fetch(`${server.origin}/trpc/${path}`, { method, ...init });
      expect({ path, status }).toEqual({ path, status: 401 });
    }
  });

  test("what is open is listed here, and is there", () => {
    const names = new Set(procedures.map(({ path }) => path));
    expect([...openProcedures].filter((path) => !names.has(path))).toEqual([]);
    const subscriptions = procedures.filter(({ type }) => type === "subscription");
    expect(subscriptions.map(({ path }) => path)).toEqual(["system.readiness"]);
  });
});

/** Who is signed in, how one signs in, what this is, and whether it is ready. */
const openProcedures = new Set(["session.current", "session.ways", "system.about", "system.readiness"]);
