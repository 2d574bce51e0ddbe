import { expect } from "vitest";
import { type Envelope, plainAgent, prepare, stageOf, success, task } from "./plain-agent.ts";
import { signedIn, withKey } from "./rest-client.ts";
import { startTestServer } from "./test-server.ts";

/** A server with a template and one agent that works on it over REST, and those who ask for what becomes of its pipelines. */
export async function openPipelineDoors() {
  const server = await startTestServer();
  const admin = withKey(server, server.adminKey);
  const person = await signedIn(server);
  const agent = plainAgent(withKey(server, await server.keyOf("agent")));
  await prepare(admin);
  await agent.beat();
  return {
    server,
    admin,
    person,
    agent,
    async submit(): Promise<string> {
      const submitted = await admin("POST", "/v1/tasks", { body: task });
      expect(submitted.status).toBe(201);
      return submitted.json.text("pipelineId");
    },
    async work(stageId: string): Promise<Envelope> {
      const envelope = await agent.take();
      expect(stageOf(envelope)).toBe(stageId);
      expect((await agent.report(success(envelope))).status).toBe(200);
      return envelope;
    },
  };
}

export type PipelineDoors = Awaited<ReturnType<typeof openPipelineDoors>>;
