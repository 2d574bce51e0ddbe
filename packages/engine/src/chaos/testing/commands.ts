import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  AgentHeartbeatSchema,
  AgentResultSchema,
  TaskEnvelopeSchema,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import type { Resolution, Role } from "@signalbox/core";
import type { Engine } from "../../engine.ts";
import { leaseTasks, type LeaseRequest } from "../../orchestrator/lease-tasks.ts";
import { resolveEscalation } from "../../orchestrator/person-commands.ts";
import { renewDispatch } from "../../orchestrator/renew-dispatch.ts";
import { reportResult } from "../../orchestrator/report-result.ts";
import { submitTask } from "../../orchestrator/submit-task.ts";
import { heartbeat } from "../../registry/heartbeat.ts";
import { askedBy } from "../../testing/test-engine.ts";

/** What a test says to an engine in another process. */
type Commands = {
  about: undefined;
  submit: JsonValue;
  beat: JsonValue;
  lease: LeaseRequest;
  renew: string;
  report: { dispatchId: string; result: JsonValue };
  resolve: { escalationId: string; resolution: Resolution; comment: string };
};

/** What the engine answers. */
type Answers = {
  about: { epoch: number };
  submit: { pipelineId: string };
  beat: unknown;
  lease: { envelopes: JsonValue[] };
  renew: unknown;
  report: { receivedAt: string };
  resolve: unknown;
};

export type CommandName = keyof Commands;
export type Input<C extends CommandName> = Commands[C];
export type Answer<C extends CommandName> = Answers[C];
export type Call = { [C in CommandName]: { command: C; role: Role; input: Commands[C] } }[CommandName];

/** Every answer is plain data: it goes over the wire as JSON. */
export async function answer(engine: Engine, { role, ...call }: Call, signal: AbortSignal): Promise<unknown> {
  const asked = askedBy(role);
  switch (call.command) {
    case "about":
      return { epoch: engine.node.epoch() };
    case "submit":
      return submitTask(engine, asked, fromJson(TaskSubmissionSchema, call.input));
    case "beat":
      return heartbeat(engine, asked, fromJson(AgentHeartbeatSchema, call.input));
    case "lease": {
      const { envelopes } = await leaseTasks(engine, asked, call.input, signal);
      return { envelopes: envelopes.map((envelope) => toJson(TaskEnvelopeSchema, envelope)) };
    }
    case "renew":
      return renewDispatch(engine, asked, call.input);
    case "report": {
      const { dispatchId, result } = call.input;
      return reportResult(engine, asked, dispatchId, fromJson(AgentResultSchema, result));
    }
    case "resolve": {
      const { escalationId, ...given } = call.input;
      return resolveEscalation(engine, asked, escalationId, given);
    }
  }
}
