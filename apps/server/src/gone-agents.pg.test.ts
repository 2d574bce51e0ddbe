import { connect as connectHttp2, constants } from "node:http2";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipelineDoors, type PipelineDoors } from "./testing/pipeline-doors.ts";
import { bearer } from "./testing/test-server.ts";
import { packId } from "./testing/plain-agent.ts";

let doors: PipelineDoors;
beforeAll(async () => {
  doors = await openPipelineDoors();
});
afterAll(() => doors.server.dispose());

/** Asks for work over one HTTP version, and gives the way to go away. */
const waits: Record<string, (headers: Record<string, string>, body: string) => () => void> = {
  "HTTP/1.1": (headers, body) => {
    const gone = new AbortController();
    void fetch(`${doors.server.origin}/v1/leases`, {
      method: "POST",
      signal: gone.signal,
      headers,
      body,
    }).catch((reason: unknown) => reason);
    return () => gone.abort();
  },
  "HTTP/2": (headers, body) => {
    const session = connectHttp2(doors.server.origin);
    const stream = session.request({ ":path": "/v1/leases", ":method": "POST", ...headers });
    stream.on("error", () => undefined).end(body);
    return () => {
      stream.close(constants.NGHTTP2_CANCEL);
      session.close();
    };
  },
};

describe("an agent that goes while it waits", () => {
  test.each(Object.entries(waits))("leaves what comes for the next, over %s", async (version, ask) => {
    const requestId = `goes-over-${version.replaceAll(/\W/g, "-")}`;
    const headers = {
      "content-type": "application/json",
      "x-request-id": requestId,
      ...bearer(doors.server.adminKey),
    };
    const wanted = { packId, instanceId: doors.agent.instanceId, maxTasks: 1, waitSeconds: 60 };
    const go = ask(headers, JSON.stringify(wanted));
    const logged = async (what: string) => {
      const line = new RegExp(`"requestId":"${requestId}".*"${what}`);
      await expect.poll(() => doors.server.log()).toMatch(line);
    };
    await logged("request begun");
    // Whoever came after it has been answered: it is known by now, and waits.
    await doors.agent.beat();
    go();
    await logged("the client went before it was answered");
    const pipelineId = await doors.submit();
    await doors.work("build");
    await doors.person("POST", `/v1/pipelines/${pipelineId}/abort`);
  });

  test("and one that was answered has not gone", async () => {
    const session = connectHttp2(doors.server.origin);
    const headers = {
      "content-type": "application/json",
      "x-request-id": "answered-over-http2",
      ...bearer(doors.server.adminKey),
    };
    const stream = session.request({ ":path": "/v1/leases", ":method": "POST", ...headers });
    stream.end(JSON.stringify({ packId, instanceId: doors.agent.instanceId, maxTasks: 1 }));
    expect(JSON.parse(await text(stream))).toMatchObject({ envelopes: [] });
    session.close();
    await expect.poll(() => doors.server.log()).toMatch(/"requestId":"answered-over-http2".*"request"/);
    expect(doors.server.log()).not.toMatch(/"requestId":"answered-over-http2".*"the client went/);
  });
});
