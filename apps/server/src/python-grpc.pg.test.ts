import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { manifest, packId, prepare, task } from "./testing/plain-agent.ts";
import { isPythonGrpcHere, python } from "./testing/python-grpc.ts";
import { withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

// protoc and Python start on a machine that may be busy with others.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const contracts = join(import.meta.dirname, "../../../packages/contracts");
const told = z.object({ code: z.string(), answer: z.unknown() });
const leased = z.object({
  envelopes: z.tuple([
    z.looseObject({
      protocolVersion: z.looseObject({}),
      trace: z.looseObject({}),
      execution: z.looseObject({ dispatchId: z.string(), attemptNumber: z.number() }),
    }),
  ]),
});

type Caller = { child: ChildProcessByStdio<Writable, Readable, null>; lines: Interface };

describe.runIf(isPythonGrpcHere)("ControlPlaneService by Python's grpc", () => {
  let server: TestServer;
  let vendored: string;
  const callers: Caller[] = [];
  beforeAll(async () => {
    server = await startTestServer();
    vendored = mkdtempSync(join(tmpdir(), "signalbox-proto-"));
    const script = pathToFileURL(join(contracts, "scripts/vendor-protovalidate.ts")).href;
    const code = `import { vendorProtovalidate } from ${JSON.stringify(script)}; vendorProtovalidate(process.argv[1]);`;
    execFileSync(process.execPath, ["--input-type=module", "--eval", code, vendored]);
  });
  afterAll(async () => {
    for (const { child } of callers) child.kill();
    await server.dispose();
    rmSync(vendored, { recursive: true });
  });

  function callerWith(key: string) {
    const args = [
      join(contracts, "python/call.py"),
      `127.0.0.1:${server.port}`,
      vendored,
      `${contracts}/proto`,
    ];
    const env = { PATH: process.env["PATH"] ?? "", SIGNALBOX_KEY: key, PYTHONDONTWRITEBYTECODE: "1" };
    const child = spawn(python, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface(child.stdout);
    callers.push({ child, lines });
    return async (method: string, request: object) => {
      child.stdin.write(`${JSON.stringify({ method, request })}\n`);
      const ended = once(child, "exit").then(() => Promise.reject(new Error("the program ended")));
      const [line] = await Promise.race([once(lines, "line"), ended]);
      return told.parse(JSON.parse(String(line)));
    };
  }

  test("an agent registers, beats, leases its work and reports the result", async () => {
    const admin = withKey(server, server.adminKey);
    const call = callerWith(await server.keyOf("agent"));
    expect(await call("RegisterPack", { manifest })).toEqual({
      code: "OK",
      answer: { packId, packVersion: manifest.packVersion, created: true },
    });
    await prepare(admin);
    const instance = { packId, instanceId: "python-1" };
    const health = { status: "HEALTH_STATUS_HEALTHY" };
    const beat = await call("Heartbeat", { heartbeat: { ...instance, health, leaseTtl: "60s" } });
    expect(beat).toMatchObject({ code: "OK", answer: { healthStatus: "HEALTH_STATUS_HEALTHY" } });
    const submitted = await admin("POST", "/v1/tasks", { body: task });
    const lease = await call("Lease", { ...instance, maxTasks: 1, waitSeconds: 10 });
    const { protocolVersion, trace, execution } = leased.parse(lease.answer).envelopes[0];
    const { dispatchId, attemptNumber } = execution;
    const result = {
      protocolVersion,
      trace,
      dispatchId,
      attemptNumber,
      status: { outcome: "OUTCOME_SUCCESS", confidence: "CONFIDENCE_CONFIDENT", summary: "It says hello." },
      evidence: { items: { items: [{ type: "EVIDENCE_TYPE_TEST", command: "true", passed: true }] } },
    };
    expect(await call("ReportResult", { dispatchId, result })).toMatchObject({ code: "OK" });
    const path = `/v1/pipelines/${submitted.json.text("pipelineId")}`;
    expect((await admin("GET", path)).json.at("stages", 0, "status")).toBe("STAGE_STATUS_COMPLETED");
  });

  test("refusals are the same codes, and say what is wrong", async () => {
    const viewer = callerWith(await server.keyOf("viewer"));
    const refused = await viewer("RegisterPack", { manifest });
    expect(refused).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(refused.answer).toContain("registering a pack needs");
    // Few clients show a status's details: the message names the field and what is allowed.
    const agent = callerWith(await server.keyOf("agent"));
    expect(await agent("Heartbeat", { heartbeat: {} })).toEqual({
      code: "INVALID_ARGUMENT",
      answer: expect.stringMatching(
        /: heartbeat\.pack_id must have at least 1 character; heartbeat\.instance_id /,
      ),
    });
    expect(await callerWith("x".repeat(40))("Heartbeat", {})).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});
