import { execFileSync, spawn } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { freePort } from "./testing/oidc-server.ts";
import { packId, plainAgent, prepare, success, task } from "./testing/plain-agent.ts";
import { isPythonGrpcHere, python } from "./testing/python-grpc.ts";
import { type RestClient, signedIn, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

type Call = { url: string; headers: IncomingHttpHeaders; body: string };

let server: TestServer;
let admin: RestClient;
let agent: RestClient;
const calls: Call[] = [];
/** An agent that knows the documents and nothing of our code: it answers in the call. */
const called = createServer((request, response) => {
  void text(request).then((body) => {
    calls.push({ url: request.url ?? "", headers: request.headers, body });
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(success(JSON.parse(body))));
    return undefined;
  });
});
let address: string;
let grpcPorts: number[];

beforeAll(async () => {
  called.listen(0, "127.0.0.1");
  await once(called, "listening");
  const { port } = called.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/agent`;
  grpcPorts = [await freePort(), await freePort()];
  server = await startTestServer({
    agentHosts: [`127.0.0.1:${port}`, ...grpcPorts.map((one) => `localhost:${one}`)],
    signingKey: Buffer.alloc(32, 7),
  });
  admin = await signedIn(server);
  agent = withKey(server, await server.keyOf("agent"));
  await prepare(admin);
});
afterAll(async () => {
  called.close();
  await server.dispose();
});

const beat = (endpoint: object) =>
  agent("POST", "/v1/heartbeats", {
    body: {
      packId,
      instanceId: plainAgent(agent).instanceId,
      health: { status: "HEALTH_STATUS_HEALTHY" },
      leaseTtl: "60s",
      endpoint,
    },
  });

describe("an agent that is called over HTTP", () => {
  test.each([
    ["http://127.0.0.1:1/agent", "127.0.0.1:1 is not in SIGNALBOX_AGENT_HOSTS"],
    ["http://169.254.169.254/latest/meta-data", "169.254.169.254 is not in SIGNALBOX_AGENT_HOSTS"],
    ["ftp://127.0.0.1", "is ftp:; http: or https: is allowed"],
    ["http://a:b@127.0.0.1", "carries credentials"],
    ["agent", "is no URL"],
  ])("is refused an address that nobody may call: %s", async (hostile, message) => {
    const { status, json } = await beat({ transport: "AGENT_TRANSPORT_HTTP", address: hostile });
    expect(status).toBe(422);
    expect(json.at("violations", 0)).toMatchObject({
      field: "endpoint.address",
      message: expect.stringContaining(message),
    });
  });

  test("is told which ways there are when it names another", async () => {
    const { status, json } = await beat({ transport: "AGENT_TRANSPORT_PROCESS" });
    expect(status).toBe(422);
    expect(json.at("violations", 0)).toMatchObject({
      field: "endpoint.transport",
      message: expect.stringContaining("AGENT_TRANSPORT_GRPC, AGENT_TRANSPORT_HTTP"),
    });
  });

  test("works a pipeline to its end, and every call is signed for it alone", async () => {
    expect((await beat({ transport: "AGENT_TRANSPORT_HTTP", address })).status).toBe(200);
    const submitted = await admin("POST", "/v1/tasks", { body: task });
    const pipelineId = submitted.json.text("pipelineId");
    await expect
      .poll(async () => (await admin("GET", `/v1/pipelines/${pipelineId}`)).json.at("status"), {
        timeout: 15_000,
      })
      .toMatch(/COMPLETED|PAUSED/);
    expect(calls.map(({ url }) => url)).toEqual(expect.arrayContaining(["/agent"]));

    const keys = z
      .object({ keys: z.array(z.looseObject({ kid: z.string() })) })
      .parse(await (await fetch(`${server.origin}/.well-known/jwks.json`)).json());
    for (const { headers, body } of calls) {
      const [head = "", claims = "", signature = ""] = (headers.authorization ?? "")
        .slice("Bearer ".length)
        .split(".");
      const { kid } = z.object({ kid: z.string() }).parse(read(head));
      const jwk = keys.keys.find((key) => key.kid === kid);
      const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
      expect(verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))).toBe(
        true,
      );
      const digest = await crypto.subtle.digest("SHA-256", Buffer.from(body));
      expect(read(claims)).toMatchObject({
        aud: address,
        sub: `${packId}/${plainAgent(agent).instanceId}`,
        method: "RunAgent",
        dispatch_id: headers["idempotency-key"],
        body_sha256: Buffer.from(digest).toString("base64url"),
      });
    }
  });
});

const repository = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(repository, "docs/grpc-agent.md"), "utf8");
/** A program as the guide has it. */
function programOf(language: string): string {
  const [, code] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(guide) ?? [];
  if (code === undefined) throw new Error(`the guide has no program in ${language}`);
  return code;
}

/** The guide's own commands, in a folder that is removed. */
function contractIn(folder: string, compiled: boolean): void {
  const script = "packages/contracts/scripts/write-proto.ts";
  execFileSync(process.execPath, [join(repository, script), join(folder, "signalbox-proto")]);
  const [compiling = ""] = /mkdir -p generated\n.*/.exec(guide) ?? [];
  if (compiled) execFileSync("sh", ["-c", compiling], { cwd: folder });
}

describe("an agent that is called over gRPC, as docs/grpc-agent.md has it", () => {
  test.for([
    ["js", process.execPath, "-"],
    ["python", python, "-"],
  ] as const)(
    "in %s: works a pipeline to its end",
    { timeout: 60_000 },
    async ([language, ...command], { skip }) => {
      const isPython = language === "python";
      if (isPython && !isPythonGrpcHere) skip("Python's grpc or protoc is not here");
      const folder = mkdtempSync(join(tmpdir(), "signalbox-grpc-agent-"));
      contractIn(folder, isPython);
      const [program, ...args] = command;
      const child = spawn(program, args, {
        cwd: folder,
        stdio: ["pipe", "inherit", "inherit"],
        env: {
          PATH: process.env["PATH"],
          NODE_PATH: join(import.meta.dirname, "../node_modules"),
          PYTHONPATH: "generated",
          PYTHONDONTWRITEBYTECODE: "1",
          SIGNALBOX: `127.0.0.1:${server.port}`,
          SIGNALBOX_KEY: await server.keyOf("agent"),
          PACK: packId,
          PORT: String(grpcPorts[isPython ? 1 : 0]),
          PROTO: join(folder, "signalbox-proto"),
        },
      });
      child.stdin.end(programOf(language));
      try {
        const before = calls.length;
        // Nobody else is called for it, until the program says where it is.
        await plainAgent(agent).beat();
        const submitted = await admin("POST", "/v1/tasks", { body: task });
        const path = `/v1/pipelines/${submitted.json.text("pipelineId")}`;
        await expect
          .poll(async () => (await admin("GET", path)).json.at("status"), { timeout: 15_000 })
          .toBe("PIPELINE_STATUS_COMPLETED");
        expect(calls).toHaveLength(before);
      } finally {
        child.kill("SIGKILL");
        await once(child, "close");
        rmSync(folder, { recursive: true });
      }
    },
  );
});

const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
