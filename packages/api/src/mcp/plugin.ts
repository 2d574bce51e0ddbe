import { DEFAULT_LIMITS, parseJson, SignalboxError } from "@signalbox/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { noStore } from "../no-store.ts";
import { askedBy } from "../rest/asked.ts";
import type { Transport } from "../transport.ts";
import { countBatch } from "./count-batch.ts";
import { refuseForeign } from "./refuse-foreign.ts";
import { offerTools } from "./tools.ts";
import { answerUnread } from "./unread-call.ts";

/** The message, its params and the tool's arguments stand around a task, which is as deep as over every other door. */
const LEVELS_AROUND = 3;

/** Loaded by who first asks: its schemas are ten megabytes, and most installations never hear of it. */
async function protocol() {
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
  ]);
  return { McpServer, WebStandardStreamableHTTPServerTransport };
}

/**
 * The Model Context Protocol over streamable HTTP at POST /mcp. Stateless: every request brings its key or token and is answered by
 * itself, on any node, so that there is no session to lose or to steal.
 */
export async function mcpPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  app.addHook("onSend", noStore);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  const identify = askedBy(transport);
  app.route<{ Body: Uint8Array | undefined }>({
    method: "POST",
    url: "/mcp",
    onRequest: async (request) => {
      if (request.headers.authorization !== undefined) refuseForeign(request, transport.publicUrl);
      await identify.bearerHook(request);
    },
    handler: async (request, reply) => {
      const body = request.body ?? new Uint8Array();
      let message;
      try {
        message = parseJson(body, { maxDepth: DEFAULT_LIMITS.maxDepth + LEVELS_AROUND });
      } catch (thrown) {
        const answer = answerUnread(thrown, body, request.id);
        if (answer === undefined) throw thrown;
        return reply.send(answer);
      }
      await countBatch(transport, request, message);
      const { McpServer, WebStandardStreamableHTTPServerTransport } = await protocol();
      const server = new McpServer({ name: "signalbox", version: transport.system.orchestrator.version });
      offerTools(server, transport.system, identify.of(request), request);
      const carrier = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      try {
        await server.connect(carrier);
        const answer = await carrier.handleRequest(asFetched(request), { parsedBody: message });
        return await send(reply, answer);
      } finally {
        await server.close();
      }
    },
  });
  app.route({
    method: ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"],
    url: "/mcp",
    config: { refusesMethod: true },
    onRequest: (request, reply, done) => {
      reply.header("allow", "POST");
      done(new SignalboxError("METHOD_NOT_ALLOWED", `${request.method} is not offered here, POST is.`));
    },
    handler: (_request, reply) => reply.send(),
  });
}

/** The body is read already, bounded; what is accepted is told by us, for every answer here is JSON. */
function asFetched(request: FastifyRequest): Request {
  const version = request.headers["mcp-protocol-version"];
  return new Request(`http://localhost${request.url}`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(typeof version === "string" ? { "mcp-protocol-version": version } : {}),
    },
  });
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const text = await answer.text();
  const type = answer.headers.get("content-type");
  reply.code(answer.status);
  if (type !== null) reply.type(type);
  return reply.send(text);
}
