import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Result, ResultSchema } from "@signalbox/contracts/sap";
import { isFinal } from "@signalbox/core";
import { type Asked, createToken, endOwnSession, inviteMember, listAudit } from "@signalbox/engine";
import {
  askedBy,
  type SapDoorUnderTest,
  type SapSender,
  sapSuite,
  taskFor,
  waitForSap,
} from "@signalbox/engine/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SapServer, startSapServer } from "./testing/sap-server.ts";
import { bearer } from "./testing/test-server.ts";

let server: SapServer;
const clients = new Map<SapSender, Client>();
beforeAll(async () => {
  server = await startSapServer();
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await server.dispose();
});

/** The SDK's own client, as any host of MCP would bring it. */
async function clientOf(from: SapSender): Promise<Client> {
  const known = clients.get(from);
  if (known !== undefined) return known;
  const client = new Client({ name: "a host", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), {
    requestInit: { headers: bearer(server.keys[from]) },
  });
  await client.connect(transport);
  clients.set(from, client);
  return client;
}

async function call(from: SapSender, name: string, given: Record<string, unknown>) {
  const client = await clientOf(from);
  const { structuredContent, isError } = await client.callTool({ name, arguments: given });
  return { value: Object(structuredContent), isError };
}

const door: SapDoorUnderTest = {
  name: "MCP",
  get engine() {
    return server.engine;
  },
  submit: async (from, task) => (await call(from, "sap_submit_task", { task })).value,
  result: async (from, taskId): Promise<Result | undefined> => {
    const { value } = await call(from, "sap_get_result", { taskId });
    return value.error?.code === "NOT_FOUND" ? undefined : ResultSchema.parse(value.result);
  },
};

sapSuite("MCP", () => door);

const post = (
  headers: Record<string, string>,
  body: unknown = { jsonrpc: "2.0", id: 1, method: "tools/list" },
) =>
  fetch(`${server.origin}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const calling = (name: string, given: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: given },
});

/** A member with the role, as who they are when they are signed in. */
const personOf = async (role: "approver" | "operator" | "admin"): Promise<Asked> => {
  const admin = askedBy("admin");
  const wish = { email: `${role}@example.org`, name: role, role };
  const { member } = await inviteMember(server.engine, admin, wish);
  const actor = { type: "human", id: member.memberId } as const;
  return { ...admin, caller: { ...admin.caller, actor, role, credential: "session" } };
};
const hostOf = async (token: string): Promise<Client> => {
  const client = new Client({ name: "a person's host", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), {
      requestInit: { headers: bearer(token) },
    }),
  );
  return client;
};
const escalated = async (sent: ReturnType<typeof taskFor>): Promise<string> => {
  const asked = await waitForSap(door, sent.taskId, (status) => status === "ESCALATED");
  return String(asked.nextActions?.[0]?.["escalationId"]);
};
const advance = (client: Client, escalationId: string) =>
  client.callTool({
    name: "resolve_escalation",
    arguments: { escalationId, answer: { option: "advance", comment: "fine" } },
  });

describe("MCP", () => {
  test("offers its tools, and what they read", async () => {
    const { tools } = await (await clientOf("operator")).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "sap_submit_task",
      "sap_get_result",
      "list_packs",
      "list_capabilities",
      "list_escalations",
      "resolve_escalation",
    ]);
    const answering = tools.at(-1)?.inputSchema.properties?.["answer"];
    expect(answering).toMatchObject({
      required: ["option", "comment"],
      properties: { option: { type: "string" }, extendBy: { type: "string" } },
    });
    expect(tools[0]?.inputSchema).toMatchObject({
      required: ["task"],
      properties: { task: { type: "object" } },
    });
    const { value: packs } = await call("operator", "list_packs", {});
    expect(packs.packs.map(({ packId }: { packId: string }) => packId).toSorted()).toEqual([
      "adviser",
      "prime",
    ]);
    const { value: offered } = await call("prime", "list_capabilities", {});
    expect(offered.capabilities).toContainEqual({ capability: "ask", taskType: "ask" });
    expect(offered.capabilities).toContainEqual({ capability: "build.feature", templateId: "two-steps" });
  });

  test("a task that is no object, and a page that is too long, are refused in words, by their field", async () => {
    for (const task of ["text", [1], 7, null, undefined])
      expect(await call("operator", "sap_submit_task", { task })).toMatchObject({
        isError: true,
        value: { nack: { error: { code: "INVALID_TASK" } } },
      });
    expect(await call("operator", "list_packs", { limit: 101 })).toMatchObject({
      isError: true,
      value: { error: { code: "UNPROCESSABLE", details: { violations: [{ field: "limit" }] } } },
    });
  });

  test("a question can be listed; a key does not answer it, and is told why", async () => {
    const task = taskFor("consult.align", {}, { pressureLevel: "deliberated" });
    await door.submit("operator", task);
    await waitForSap(door, task.taskId, (status) => status === "ESCALATED");
    const { value } = await call("operator", "list_escalations", { open: true });
    const { escalationId } = value.escalations[0];
    const refused = await call("operator", "resolve_escalation", {
      escalationId,
      answer: { option: "advance", comment: "fine" },
    });
    expect(refused).toMatchObject({ isError: true, value: { error: { code: "FORBIDDEN" } } });
    for (const answer of [{ option: "approve", comment: "fine" }, { comment: "fine" }])
      expect(await call("operator", "resolve_escalation", { escalationId, answer })).toMatchObject({
        isError: true,
        value: { error: { code: "UNPROCESSABLE", details: { violations: [{ field: "option" }] } } },
      });
  });

  test("a mistake in a tool's arguments is UNPROCESSABLE by its field, for every tool that takes any", async () => {
    const mistakes: [string, Record<string, unknown>, string[]][] = [
      ["sap_get_result", {}, ["taskId"]],
      ["sap_get_result", { taskId: 5 }, ["taskId"]],
      ["list_packs", { limit: "x", cursor: 1, query: [] }, ["limit", "cursor", "query"]],
      ["list_packs", { limit: 1.5 }, ["limit"]],
      ["list_escalations", { open: "yes", limit: null }, ["limit", "open"]],
      ["resolve_escalation", {}, ["escalationId", "answer"]],
      ["resolve_escalation", { escalationId: "e", answer: "advance" }, ["answer"]],
    ];
    for (const [tool, given, fields] of mistakes) {
      const { isError, value } = await call("operator", tool, given);
      expect([tool, isError, value.error?.code]).toEqual([tool, true, "UNPROCESSABLE"]);
      expect(value.error.details.violations.map(({ field }: { field: string }) => field)).toEqual(fields);
    }
    const { value } = await call("operator", "sap_submit_task", {});
    expect(value.nack.error.code).toBe("INVALID_TASK");
    const { tools } = await (await clientOf("operator")).listTools();
    expect(tools.find(({ name }) => name === "list_escalations")?.inputSchema).toMatchObject({
      type: "object",
      properties: { limit: { type: "number" }, cursor: { type: "string" }, open: { type: "boolean" } },
    });
    expect(tools.find(({ name }) => name === "sap_get_result")?.inputSchema.required).toEqual(["taskId"]);
  });

  describe("TOKEN-2 TOKEN-3 a person's token", () => {
    test("answers in the person's name, as the record says, until it is revoked", async () => {
      const approver = await personOf("approver");
      const { token, sessionId } = await createToken(server.engine, approver, { label: "my editor" });
      const client = await hostOf(token);
      const task = taskFor("consult.align", {}, { pressureLevel: "deliberated" });
      await door.submit("operator", task);
      const escalationId = await escalated(task);
      expect((await advance(client, escalationId)).isError).toBe(false);
      expect((await waitForSap(door, task.taskId, isFinal)).status).toBe("SUCCEEDED");
      const { entries } = await listAudit(server.engine, askedBy("auditor"), {
        actor: approver.caller.actor.id,
      });
      const said = entries.map(({ payload }) => payload).join("\n");
      expect(said).toContain('"Through MCP: fine"');
      expect(said).toContain("my editor");
      expect(said).not.toContain(token);
      const submitted = await client.callTool({
        name: "sap_submit_task",
        arguments: { task: taskFor("ask") },
      });
      expect(submitted.structuredContent, "an approver submits nothing").toMatchObject({
        nack: { error: { code: "FORBIDDEN" } },
      });
      expect((await post(bearer(token))).status).toBe(200);
      await endOwnSession(server.engine, approver, sessionId);
      expect((await post(bearer(token))).status).toBe(401);
      await client.close();
    });

    test("may what its person may, and lets nobody approve what they submitted", async () => {
      const task = taskFor("consult.align", {}, { pressureLevel: "deliberated" });
      await door.submit("operator", task);
      const asOperator = await hostOf(
        (await createToken(server.engine, await personOf("operator"), { label: "editor" })).token,
      );
      expect(await advance(asOperator, await escalated(task))).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "FORBIDDEN" } },
      });
      const admin = await personOf("admin");
      const asAdmin = await hostOf((await createToken(server.engine, admin, { label: "editor" })).token);
      const own = taskFor(
        "ask.both",
        { issuer: { agentId: admin.caller.actor.id, agentKind: "user" } },
        { pressureLevel: "deliberated" },
      );
      const sent = await asAdmin.callTool({ name: "sap_submit_task", arguments: { task: own } });
      expect(sent.structuredContent).toMatchObject({ ack: { taskId: own.taskId } });
      expect(await advance(asAdmin, await escalated(own))).toMatchObject({ isError: true });
      await asOperator.close();
      await asAdmin.close();
    });
  });

  test("UNAUTHORIZED: without a key, or with one that nobody knows", async () => {
    expect((await post({})).status).toBe(401);
    const unknown = await post(bearer(server.keys.nobody));
    expect([unknown.status, unknown.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("a page of another site, and a name that is not this server's, are refused", async () => {
    const known = bearer(server.keys.operator);
    expect((await post(known)).status).toBe(200);
    expect((await post({ ...known, origin: server.origin })).status).toBe(200);
    expect((await post({ ...known, origin: "https://evil.example" })).status).toBe(403);
  });

  test("§10 a call that is refused before it is read is answered as its tool answers; the header names no other correlation", async () => {
    const known = bearer(server.keys.operator);
    const task = taskFor("consult.align");
    const twice = JSON.stringify({ ...calling("sap_submit_task", { task }), id: "seven" }).replace(
      '"payload":{',
      '"payload":{"topic":1,',
    );
    const refused = await post(known, twice);
    expect([refused.status, await refused.json()]).toMatchObject([
      200,
      {
        id: "seven",
        result: {
          isError: true,
          structuredContent: {
            nack: {
              taskId: task.taskId,
              correlationId: task.correlationId,
              error: { code: "INVALID_TASK", details: { violations: [{ field: "payload.topic" }] } },
            },
          },
        },
      },
    ]);
    const unread = await post(known, calling("list_packs", { query: "a\0b" }));
    expect(await unread.json()).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: "UNPROCESSABLE" } } },
    });
    const headers = { ...known, "X-Correlation-Id": crypto.randomUUID() };
    const other = await post(headers, calling("sap_submit_task", { task }));
    expect(await other.json()).toMatchObject({
      result: {
        structuredContent: {
          nack: {
            correlationId: task.correlationId,
            error: { code: "INVALID_TASK", details: { violations: [{ field: "X-Correlation-Id" }] } },
          },
        },
      },
    });
    expect((await post(known, "no JSON at all")).status).toBe(400);
  });

  test("what is no JSON-RPC, and other methods, are refused", async () => {
    const known = bearer(server.keys.operator);
    expect((await post(known, { hello: 1 })).status).toBe(400);
    expect((await fetch(`${server.origin}/mcp`, { headers: known })).status).toBe(405);
  });
});
