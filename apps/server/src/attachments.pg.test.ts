import { createHash, randomBytes } from "node:crypto";
import {
  type AttachmentReference,
  createClient,
  type Dispatch,
  evidenceFrom,
  startAgent,
  succeeded,
} from "@signalbox/agent-sdk";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { manifest, policy, task, templates } from "./testing/plain-agent.ts";
import { type RestClient, restClient, withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

const patience = { timeout: 15_000, interval: 50 };
const picture = new Uint8Array(randomBytes(300_000));
const sha256 = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const chained = templates
  .replace("required: true", "required: true\n          response_format: json_standard")
  .replace(
    "depends_on_stages: [build]",
    `depends_on_stages: [build]\n          inputs: { picture: "{{build.data.picture}}" }`,
  );

let server: TestServer;
let call: RestClient;
let agentKey: string;
beforeAll(async () => {
  server = await startTestServer();
  call = withKey(server, server.adminKey);
  agentKey = await server.keyOf("agent");
  const yaml = { "content-type": "application/yaml" };
  await call("POST", "/v1/packs", { body: manifest });
  for (const [path, body] of [
    ["routing-policies", policy],
    ["pipeline-templates", chained],
  ] as const) {
    await call("POST", `/v1/${path}`, { body, headers: yaml });
    const { status } = await call("POST", `/v1/${path}/1.0.0/publish`);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
});
afterAll(() => server.dispose());

const keep = (name: string, body: string | Uint8Array, key = server.adminKey, type = "text/plain") =>
  fetch(`${server.origin}/v1/attachments?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { ...bearer(key), "content-type": type },
    body: new Uint8Array(Buffer.from(body)),
  });
const keptOf = async (answer: Response) =>
  (await answer.json()) as AttachmentReference & { attachmentId: string };
const linkTo = async (attachmentId: string) =>
  new URL((await call("GET", `/v1/attachments/${attachmentId}`)).json.text("url"), server.origin);
const codes = async (answer: Response) => {
  const { code, violations } = Object(await answer.json());
  return [answer.status, code, violations.map(({ field }: { field: string }) => field)];
};

/** As if time had passed: rows are never changed otherwise. */
const age = (statement: string) => [
  "alter table signalbox.attachments disable trigger user",
  statement,
  "alter table signalbox.attachments enable trigger user",
];

const statusAt = async (url: URL) => (await fetch(url)).status;

/** Each stage is worked on as the test says. */
async function worked(work: Record<string, (dispatch: Dispatch) => Promise<object>>) {
  const faults: unknown[] = [];
  const agent = await startAgent({
    url: server.origin,
    key: agentKey,
    pack: { ...manifest, safetyTier: 3, interface: { ...manifest.interface } } as never,
    instanceId: `attacher-${randomBytes(4).toString("hex")}`,
    timing: { heartbeatEveryMs: 400, renewEveryMs: 400, leaseWaitSeconds: 2, drainWithinMs: 2_000 },
    onTrouble: (error) => faults.push(error),
    work: async (dispatch) => {
      const data = (await work[dispatch.taskType]?.(dispatch)) ?? {};
      return succeeded({
        summary: "done",
        evidence: [evidenceFrom({ command: "true", output: "ok", exitCode: 0 })],
        response: { thought: "t", status: "success", data: { picture: { ...data } }, message: "done" },
      });
    },
  });
  const pipelineId = (await call("POST", "/v1/tasks", { body: task })).json.text("pipelineId");
  const completed = () =>
    vi.waitFor(async () => {
      const { json } = await call("GET", `/v1/pipelines/${pipelineId}`);
      expect([faults, json.at("status")]).toEqual([[], "PIPELINE_STATUS_COMPLETED"]);
    }, patience);
  return { agent, pipelineId, completed };
}

describe("an attachment", () => {
  test("that a stage keeps and names is read by the next one, and no envelope holds its bytes", async () => {
    const read: Uint8Array[] = [];
    const envelopes: unknown[] = [];
    const refused: unknown[] = [];
    let link: URL | undefined;
    let pipeline = "";
    const other = await keptOf(await keep("other.txt", "not for them"));
    const { agent, completed, pipelineId } = await worked({
      build: ({ attach }) => attach(picture, { name: "picture.png", mediaType: "image/png" }),
      review: async ({ attached, envelope, dispatchId }) => {
        const reference = (envelope.inputs?.["picture"] ?? {}) as AttachmentReference;
        envelopes.push(envelope.inputs);
        read.push(await attached(reference));
        const wrong = { ...reference, digest: sha256(new Uint8Array([1])) };
        refused.push(await attached(wrong).catch(({ code }) => code));
        refused.push(await attached(other).catch(({ code }) => code));
        const [, id] = reference.uri.split("/");
        const linked = restClient(server, bearer(agentKey));
        const { json } = await linked("GET", `/v1/dispatches/${dispatchId}/attachments/${id}`);
        link = new URL(json.text("url"), server.origin);
        return {};
      },
    });
    await completed();
    await agent.drain();
    pipeline = pipelineId;
    expect(read.map((bytes) => Buffer.from(bytes).equals(picture))).toEqual([true]);
    expect(envelopes).toEqual([
      {
        picture: {
          uri: expect.stringMatching(/^signalbox:attachment\/[0-9a-f-]{36}$/),
          name: "picture.png",
          mediaType: "image/png",
          size: picture.length,
          digest: sha256(picture),
        },
      },
    ]);
    expect(refused).toEqual(["VALIDATION_FAILED", "NOT_FOUND"]);
    expect(link?.searchParams.get("pipeline")).toBe(pipeline);
    // It is the agent's no more once the dispatch is over; the link lasts until it ends.
    const attempt = `/v1/dispatches/${pipeline}-d1.1/attachments/${link?.pathname.split("/")[3]}`;
    expect((await restClient(server, bearer(agentKey))("GET", attempt)).status).toBe(409);
    expect(link && (await statusAt(link))).toBe(200);
    const { json } = await call("GET", `/v1/audit?q=${other.uri.split("/")[1]}`);
    expect(JSON.stringify(json.value)).toContain("ATTACHMENT_KEPT");
  });

  test("is handed out as a file that a browser keeps and does not run, to whoever has the link", async () => {
    const page = "<script>alert(1)</script>";
    const { attachmentId, digest } = await keptOf(
      await keep("page ü.html", page, undefined, "text/html; charset=utf-8"),
    );
    expect(digest).toBe(sha256(Buffer.from(page)));
    const answer = await fetch(await linkTo(attachmentId));
    expect([answer.status, await answer.text()]).toEqual([200, page]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html",
      "content-disposition": "attachment; filename*=UTF-8''page%20%C3%BC.html",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  });

  test("is not had by a link that was tampered with, in any part of it", async () => {
    const [one, other] = await Promise.all([keptOf(await keep("a", "a")), keptOf(await keep("b", "b"))]);
    const link = await linkTo(one.attachmentId);
    expect(await statusAt(link)).toBe(200);
    const later = String(Number(link.searchParams.get("expires")) + 1);
    const changes: Record<string, string> = {
      tenant: "north",
      pipeline: "x",
      expires: later,
      signature: "AAAA",
    };
    for (const [name, value] of Object.entries(changes)) {
      const changed = new URL(link);
      changed.searchParams.set(name, value);
      expect([name, await statusAt(changed)]).toEqual([name, 403]);
    }
    for (const id of [other.attachmentId, "0190b3a8-8f0f-7bbb-8888-0123456789ab", "x"])
      expect(await statusAt(new URL(link.href.replace(one.attachmentId, id)))).toBe(403);
    link.searchParams.delete("signature");
    expect(await statusAt(link)).toBe(422);
  });

  test("is not had by a link that has ended, nor once its own time is over, when it goes", async () => {
    const { attachmentId } = await keptOf(await keep("short", "short"));
    const link = await linkTo(attachmentId);
    const shorten = `update signalbox.attachments set expires_at = now() + interval '1 second' where attachment_id = '${attachmentId}'`;
    for (const statement of age(shorten)) await readRows(server.databaseUrl, statement);
    const brief = await linkTo(attachmentId);
    await vi.waitFor(async () => expect(await statusAt(brief)).toBe(403), patience);
    await vi.waitFor(async () => expect(await statusAt(link)).toBe(403), patience);
    expect((await call("GET", `/v1/attachments/${attachmentId}`)).status).toBe(404);
    await keep("next", "next");
    const rows = await readRows(
      server.databaseUrl,
      `select 1 from signalbox.attachments where attachment_id = '${attachmentId}'`,
    );
    expect(rows).toEqual([]);
    const gone = `delete from signalbox.attachments`;
    await expect(readRows(server.databaseUrl, gone)).rejects.toThrow(/./);
  });

  test("is not there for another tenant, and a link that has ended says so", async () => {
    const { attachmentId } = await keptOf(await keep("mine", "mine"));
    const north = restClient(server, bearer(await server.keyOf("admin", "north")));
    expect((await north("GET", `/v1/attachments/${attachmentId}`)).status).toBe(404);
    const theirs = await keptOf(await keep("theirs", "theirs", await server.keyOf("operator", "north")));
    expect((await call("GET", `/v1/attachments/${theirs.attachmentId}`)).status).toBe(404);
    const foreign = new URL(
      (await north("GET", `/v1/attachments/${theirs.attachmentId}`)).json.text("url"),
      server.origin,
    );
    expect(await statusAt(foreign)).toBe(200);
    foreign.searchParams.set("tenant", "default");
    expect(await statusAt(foreign)).toBe(403);
  });

  test("that is too large, empty or wrongly named is refused by its field", async () => {
    expect(await codes(await keep("big", "x".repeat(8 * 1024 * 1024 + 1)))).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      [],
    ]);
    expect(await codes(await keep("a/b", ""))).toEqual([422, "VALIDATION_FAILED", ["name", "body"]]);
    const nonsense = await keep("a", "a", undefined, "nonsense");
    expect(nonsense.status).toBe(415);
    expect(await nonsense.json()).toMatchObject({
      detail: expect.stringContaining("send a media type such as image/png"),
    });
    expect(await codes(await keep("sbx_oWqRETmaXwzIiUcEu7d_nZaVVzwzGpnN_iJyA-sfEic", "a"))).toEqual([
      422,
      "VALIDATION_FAILED",
      ["name"],
    ]);
    const client = createClient({ url: server.origin, key: agentKey });
    const largest = await client.keepAttachment(new Uint8Array(8 * 1024 * 1024), { name: "largest" });
    expect(largest).toMatchObject({ size: 8 * 1024 * 1024, mediaType: "application/octet-stream" });
    await expect(client.readAttachment("x", { uri: "https://elsewhere" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });
});
