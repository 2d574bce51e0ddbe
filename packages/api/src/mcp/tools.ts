import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import {
  type Asked,
  type Engine,
  exchangeSapTask,
  listCapabilities,
  listEscalations,
  listPacks,
  readSapResult,
  resolveEscalation,
} from "@signalbox/engine";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { escalationResource } from "../escalation-view.ts";
import { packSummaryView } from "../pack-view.ts";
import { readWith } from "../read-with.ts";
import { answerBody, resolutionOf } from "../rest/resolution.ts";
import { refuseOtherCorrelation } from "../sap-correlation.ts";
import { refusedCall, refusedTask, told } from "./answers.ts";

const paged = z.object({
  limit: z.number().optional().describe("A whole number from 1 to 100."),
  cursor: z.string().optional(),
});
const result = z.object({ taskId: z.string().describe("The taskId of the Task.") });
const packs = paged.extend({ query: z.string().optional() });
const escalations = paged.extend({ open: z.boolean().optional() });
const reads = { readOnlyHint: true } as const;

export const SUBMIT_TASK = "sap_submit_task";

/** Shown as it is and not held to it: what is read here is refused by field and code, the SDK's refusal has a text alone. */
const shape = (schema: z.ZodObject) =>
  z.looseObject({}).meta(z.toJSONSchema(schema, { io: "input", target: "draft-7" }));
const shown = (description: string, type = "string") => z.unknown().optional().meta({ type, description });

const resolving = z.object({
  escalationId: z.string(),
  answer: z
    .looseObject({
      option: shown("One of the question's options, as list_escalations has them."),
      comment: shown("Why; the record keeps it."),
      instructions: shown("What to do otherwise in the next attempt."),
      stageId: shown("The stage to go back to."),
      answer: shown("What the agent asked for."),
      extendBy: shown('How much longer, such as "30m".'),
    })
    .meta({ required: ["option", "comment"] }),
});

/** What a client of MCP may ask for: the commands that every other way calls, and nothing of its own. */
export function offerTools(
  server: McpServer,
  engine: Engine,
  asked: Asked,
  request: Pick<FastifyRequest, "headers">,
): void {
  server.registerTool(
    SUBMIT_TASK,
    {
      title: "Submit a task",
      description:
        "Submits a Task of SAP V2.0 and answers an Ack, a Result where the cache has one, or a Nack. Required: protocolVersion " +
        '"2.0", taskId and correlationId (UUIDs), issuedAt (YYYY-MM-DDTHH:MM:SSZ), issuer {agentId, agentKind}, target ' +
        "{capability}, constitutionalContext {pressureLevel: instant | consulted | deliberated}, payload (an object).",
      inputSchema: z
        .object({ task: shown("The Task, a JSON object as SAP V2.0 §4.1 has it.", "object") })
        .meta({ required: ["task"] }),
    },
    async ({ task }) => {
      try {
        refuseOtherCorrelation(request, task);
      } catch (thrown) {
        return refusedTask(thrown, task, asked.requestId);
      }
      const exchange = await exchangeSapTask(engine, asked, task, "mcp");
      return told(exchange, exchange.nack !== undefined);
    },
  );
  server.registerTool(
    "sap_get_result",
    {
      title: "Read a result",
      description: "The Result of a task as it stands: of one that is not over, how far it is.",
      inputSchema: shape(result),
      annotations: reads,
    },
    (said) =>
      answered(async () => {
        const { taskId } = readWith(result, said);
        return { result: await readSapResult(engine, asked, taskId) };
      }),
  );
  server.registerTool(
    "list_packs",
    {
      title: "List packs",
      description: "The agents' registered packs, the newest first.",
      inputSchema: shape(packs),
      annotations: reads,
    },
    (said) =>
      answered(async () => {
        const { packs: found, nextCursor } = await listPacks(engine, asked, given(readWith(packs, said)));
        return { packs: found.map(packSummaryView), nextCursor };
      }),
  );
  server.registerTool(
    "list_capabilities",
    {
      title: "List capabilities",
      description: "What a task may name as its target's capability, and who may issue for it.",
      annotations: reads,
    },
    () =>
      answered(async () => {
        const capabilities = await listCapabilities(engine, asked);
        return {
          capabilities: capabilities.map(({ capability, work, issuers }) => ({
            capability,
            [work.case]: work.value,
            issuers,
          })),
        };
      }),
  );
  server.registerTool(
    "list_escalations",
    {
      title: "List escalations",
      description: "Questions to a person, the newest first; with open: true those that nobody has answered.",
      inputSchema: shape(escalations),
      annotations: reads,
    },
    (said) =>
      answered(async () => {
        const page = given(readWith(escalations, said));
        const { escalations: found, nextCursor } = await listEscalations(engine, asked, page);
        return { escalations: found.map(escalationResource), nextCursor };
      }),
  );
  server.registerTool(
    "resolve_escalation",
    {
      title: "Answer an escalation",
      description:
        "Chooses one of the question's options. It is for a person, by a token that they made; a key is refused, and told so. " +
        "rewind takes stageId, and instructions if you like; retry takes instructions if you like; answer takes answer; extend takes " +
        "extendBy; advance, skip, accept, restore, resume and abort take nothing.",
      inputSchema: shape(resolving),
    },
    (said) =>
      answered(async () => {
        const { escalationId, answer } = readWith(resolving, said);
        const body = readWith(answerBody, answer);
        return resolveEscalation(engine, asked, escalationId, {
          resolution: resolutionOf(body),
          comment: body.comment,
        });
      }),
  );
}

/** What was left out is left out, and is not undefined. */
const given = <T extends object>(said: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its undefined members are gone
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

async function answered(run: () => Promise<object>): Promise<CallToolResult> {
  try {
    return told(await run(), false);
  } catch (thrown) {
    return refusedCall(thrown);
  }
}
