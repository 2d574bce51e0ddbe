import { SignalboxError } from "@signalbox/contracts";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction as HookDone,
  HTTPMethods,
  RouteOptions,
} from "fastify";
import { noStore } from "../no-store.ts";
import type { Transport } from "../transport.ts";
import { accountRoutes } from "./account.ts";
import { agentRoutes } from "./agents.ts";
import { streamRoutes } from "../stream/routes.ts";
import { alertRoutes } from "./alerts.ts";
import { attachmentRoutes } from "./attachments.ts";
import { auditRoutes } from "./audit.ts";
import { retentionRoutes } from "./retention.ts";
import { documentRoutes } from "./documents.ts";
import { escalationRoutes } from "./escalations.ts";
import { instanceRoutes } from "./instances.ts";
import { keyRoutes } from "./keys.ts";
import { learningRoutes } from "./learning.ts";
import { memberRoutes } from "./members.ts";
import { oidcRoutes } from "./oidc.ts";
import { packRoutes } from "./packs.ts";
import { pipelineRoutes } from "./pipelines.ts";
import { sapRoutes } from "./sap.ts";
import { sessionRoutes } from "./session.ts";
import { taskRoutes } from "./tasks.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** It is there to answer 405. */
    refusesMethod?: boolean;
  }
}

const methods: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** REST: resources under /v1. Bodies arrive as bytes, because the bounded parser of the contract reads them. */
export async function restPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  app.addHook("onSend", noStore);
  app.addHook("onRequest", refuseUnstorableNames);
  app.addHook("onRequest", refusePackedBodies);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  const offered = collectMethods(app);
  packRoutes(app, transport);
  agentRoutes(app, transport);
  taskRoutes(app, transport);
  sapRoutes(app, transport);
  learningRoutes(app, transport);
  pipelineRoutes(app, transport);
  escalationRoutes(app, transport);
  instanceRoutes(app, transport);
  await documentRoutes(app, transport);
  await attachmentRoutes(app, transport);
  alertRoutes(app, transport);
  auditRoutes(app, transport);
  retentionRoutes(app, transport);
  sessionRoutes(app, transport);
  oidcRoutes(app, transport);
  accountRoutes(app, transport);
  memberRoutes(app, transport);
  keyRoutes(app, transport);
  streamRoutes(app, transport);
  refuseOtherMethods(app, offered);
}

/** No name holds U+0000, which the database does not store: what is named with it is not there. */
function refuseUnstorableNames({ params }: FastifyRequest, _reply: FastifyReply, done: HookDone): void {
  const names: unknown[] = Object.values(params ?? {});
  if (names.some((name) => typeof name === "string" && name.includes("\0")))
    done(new SignalboxError("NOT_FOUND", "There is nothing under a name with the character U+0000."));
  else done();
}

/** Taken for what it is not, it would be told that its bytes are no text. */
function refusePackedBodies({ headers }: FastifyRequest, reply: FastifyReply, done: HookDone): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.toLowerCase() === "identity") {
    done();
    return;
  }
  reply.header("accept-encoding", "identity");
  const message = `is "${encoding.slice(0, 40)}"; send the body as it is`;
  done(
    new SignalboxError("UNSUPPORTED_MEDIA_TYPE", "The body is packed, and no path unpacks one.", {
      violations: [{ field: "content-encoding", rule: "encoding", message }],
    }),
  );
}

function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const offered = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }: RouteOptions) => {
    const known = offered.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    offered.set(url, known);
  });
  return offered;
}

/** A path that exists answers other methods with 405 and what it allows, not with 404. */
function refuseOtherMethods(app: FastifyInstance, offered: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, known] of Array.from(offered)) {
    const allowed = Array.from(known).join(", ");
    app.route({
      url,
      method: methods.filter((method) => !known.has(method)),
      config: { refusesMethod: true },
      // Before the body is read: a method that is refused has none worth reading.
      onRequest: (request, reply, done) => {
        reply.header("allow", allowed);
        done(
          new SignalboxError("METHOD_NOT_ALLOWED", `${request.method} is not offered here, ${allowed} is.`),
        );
      },
      handler: (_request, reply) => reply.send(),
    });
  }
}
