import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Ids, requestOf } from "./example-request.ts";
import type { ReadOperation } from "./open-api.ts";
import { proposeSomething } from "./proposals.ts";
import { type Json, restClient } from "./rest-client.ts";
import { bearer, type TestServer } from "./test-server.ts";

type Prepared = { ids?: Ids; byPerson?: true };
const object = z.looseObject({});
const yaml = { "content-type": "application/yaml" };

/**
 * Sends the documented examples, each once what it speaks of is there. Ids that the server makes stand for the
 * document's; everything else is sent as it is documented.
 */
export function exampleWorld(
  server: Pick<TestServer, "origin" | "adminKey" | "signInToken" | "appUrl">,
  operations: readonly ReadOperation[],
) {
  const admin = restClient(server, bearer(server.adminKey));
  let cookie = "";

  const exampleOf = (id: string) => {
    const found = operations.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    const named = Object.fromEntries(found.parameters.map(({ name, example = "" }) => [name, example]));
    return { named, body: Object.values(found.requestBody?.content ?? {})[0]?.example };
  };
  const must = async (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Json> => {
    const sent = typeof body === "string" ? body : body === undefined ? undefined : object.parse(body);
    const { status, json } = await admin("POST", path, { body: sent, headers });
    if (status < 300) return json;
    throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(json.value)}`);
  };
  const begun = async (): Promise<Ids> => {
    const { body } = exampleOf("submitTask");
    const pipelineId = (await must("/v1/tasks", body)).text("pipelineId");
    return { [exampleOf("getPipeline").named["pipelineId"] ?? ""]: pipelineId };
  };
  const held = async (): Promise<Ids> => {
    await begun();
    const taken = await must("/v1/leases", exampleOf("lease").body);
    const documented = object.parse(exampleOf("reportResult").body);
    const trace = z.looseObject({ traceId: z.string() }).parse(documented["trace"]);
    return {
      [z.string().parse(documented["dispatchId"])]: z
        .string()
        .parse(taken.at("envelopes", 0, "execution", "dispatchId")),
      [trace.traceId]: z.string().parse(taken.at("envelopes", 0, "trace", "traceId")),
    };
  };
  const attached = async (): Promise<{ ids: Record<string, string>; uri: string }> => {
    const kept = await must("/v1/attachments?name=plan", "a plan", {
      "content-type": "application/octet-stream",
    });
    const documented = exampleOf("linkToAttachment").named["attachmentId"] ?? "";
    return { ids: { [documented]: kept.text("attachmentId") }, uri: kept.text("uri") };
  };
  /** Made before anything else is: later there is others' work, and breakers open. */
  let atWorkWithAttachment: Prepared = {};
  const attachedToDispatch = async (): Promise<Prepared> => {
    const { ids, uri } = await attached();
    const refs = [{ uriOrLocator: uri, refType: "REF_TYPE_DB_RECORD" }];
    await must("/v1/tasks", { ...object.parse(exampleOf("submitTask").body), refs });
    const taken = await must("/v1/leases", exampleOf("lease").body);
    const documented = exampleOf("linkToAttachmentOfDispatch").named["dispatchId"] ?? "";
    const dispatchId = z.string().parse(taken.at("envelopes", 0, "execution", "dispatchId"));
    return { ids: { ...ids, [documented]: dispatchId } };
  };
  const linked = async (): Promise<Prepared> => {
    const { ids } = await attached();
    const { json } = await admin("GET", `/v1/attachments/${Object.values(ids)[0]}`);
    const { searchParams } = new URL(json.text("url"), server.origin);
    const { expires = "", signature = "" } = exampleOf("readAttachment").named;
    return {
      ids: {
        ...ids,
        [expires]: searchParams.get("expires") ?? "",
        [signature]: searchParams.get("signature") ?? "",
      },
    };
  };
  const report = async (change: object) => {
    const ids = await held();
    const [dispatchId = "", traceId = ""] = Object.values(ids);
    const result = {
      ...object.parse(exampleOf("reportResult").body),
      dispatchId,
      trace: { traceId, spanId: "00f067aa0ba902b7", tenantId: "default" },
      ...change,
    };
    await admin("POST", `/v1/dispatches/${dispatchId}/result`, { body: result });
  };
  const asked = async (): Promise<Prepared> => {
    await report({
      status: {
        outcome: "OUTCOME_NON_RETRYABLE_FAILURE",
        confidence: "CONFIDENCE_CONFIDENT",
        summary: "It cannot be done.",
        failureCode: "NO_VOICE",
        failureReason: "There is nobody to greet.",
      },
      evidence: { noneWithReason: "nothing was run" },
    });
    const open = await admin("GET", "/v1/escalations?open=true");
    const id = z.string().parse(open.json.at("escalations", 0, "escalationId"));
    return { ids: { [exampleOf("getEscalation").named["escalationId"] ?? ""]: id }, byPerson: true };
  };
  const sapTask = async (): Promise<Prepared> => {
    await must("/v1/sap/tasks", exampleOf("submitSapTask").body);
    return {};
  };
  /** One that is over at once: the cache alone is asked, and has nothing. */
  const answeredTask = async (): Promise<Prepared> => {
    const documented = object.parse(exampleOf("submitSapTask").body);
    const context = object.parse(documented["constitutionalContext"]);
    const taskId = randomUUID();
    const cachePolicy = { mode: "only" };
    await must("/v1/sap/tasks", {
      ...documented,
      taskId,
      constitutionalContext: { ...context, territory: taskId, cachePolicy },
    });
    return { ids: { [z.string().parse(documented["taskId"])]: taskId }, byPerson: true };
  };
  const proposal = async (): Promise<Prepared> => {
    const documented = exampleOf("getProposal").named["proposalId"] ?? "";
    return { ids: { [documented]: await proposeSomething(server) }, byPerson: true };
  };
  const heldRecord = async (): Promise<Prepared> => {
    const { json } = await person()("POST", "/v1/audit/holds", { body: { reason: "a claim" } });
    const documented = exampleOf("releaseHold").named["holdId"] ?? "";
    return { ids: { [documented]: json.text("holdId") }, byPerson: true };
  };
  const draft = (kind: string, path: string) => async () => {
    const { headers } = await admin("GET", `${path}/1.0.0`);
    await admin("DELETE", `${path}/1.0.0`, { headers: { "if-match": headers.get("etag") ?? `"1"` } });
    if (kind !== "") await must(path, exampleOf(kind).body, yaml);
    return {};
  };
  const versions = (id: string, path: string): Record<string, () => Promise<Prepared>> => ({
    [`create${id}`]: draft("", path),
    ...Object.fromEntries(
      ["get", "update", "discard", "publish"].map((name) => [`${name}${id}`, draft(`create${id}`, path)]),
    ),
  });

  const person = () => restClient(server, { cookie, origin: server.origin });
  const members = async (): Promise<Prepared> => {
    const email = `${crypto.randomUUID()}@example.org`;
    const { json } = await person()("POST", "/v1/members", { body: { email, name: "Ada", role: "viewer" } });
    const documented = exampleOf("changeMember").named["memberId"] ?? "";
    return { ids: { [documented]: json.text("member", "memberId") }, byPerson: true };
  };
  const elsewhere = async (): Promise<Prepared> => {
    const { json } = await person()("POST", "/v1/members/administrator/link");
    const token = json.text("link").split("#")[1] ?? "";
    await restClient(server, {})("POST", "/v1/session", { body: { token } });
    const { sessions } = z
      .object({ sessions: z.array(z.object({ sessionId: z.string(), current: z.boolean() })) })
      .parse((await person()("GET", "/v1/sessions")).json.value);
    const other = sessions.find(({ current }) => !current)?.sessionId ?? "";
    return { ids: { [exampleOf("endOwnSession").named["sessionId"] ?? ""]: other }, byPerson: true };
  };
  const key = async (): Promise<Prepared> => {
    const made = await must("/v1/keys", { label: "made to be revoked", role: "viewer" });
    return { ids: { [exampleOf("revokeKey").named["keyId"] ?? ""]: made.text("keyId") } };
  };

  const preparations: Record<string, () => Promise<Prepared>> = {
    openSession: async () => {
      const { token } = z.object({ token: z.string() }).parse(exampleOf("openSession").body);
      return { ids: { [token]: server.signInToken } };
    },
    ...Object.fromEntries(
      ["closeSession", "getAccount", "changeAccount", "listOwnSessions", "createToken", "inviteMember"].map(
        (id) => [id, async () => ({ byPerson: true as const })],
      ),
    ),
    ...Object.fromEntries(
      ["changeMember", "removeMember", "createMemberLink", "endMemberSessions"].map((id) => [id, members]),
    ),
    endOwnSession: elsewhere,
    revokeKey: key,
    linkToAttachment: attached,
    linkToAttachmentOfDispatch: async () => atWorkWithAttachment,
    readAttachment: linked,
    lease: async () => ({ ids: await begun() }),
    renewDispatch: async () => ({ ids: await held() }),
    reportTurn: async () => ({ ids: await held() }),
    reportEvents: async () => ({ ids: await held() }),
    reportResult: async () => ({ ids: await held() }),
    requestHandoff: async () => ({ ids: await held() }),
    ...Object.fromEntries(
      [
        "getPipeline",
        "getTrace",
        "listTurns",
        "listEvents",
        "pausePipeline",
        "abortPipeline",
        "rewindPipeline",
      ].map((id) => [id, async () => ({ ids: await begun() })]),
    ),
    resumePipeline: async () => {
      const ids = await begun();
      await must(`/v1/pipelines/${Object.values(ids).at(-1)}/pause`);
      return { ids };
    },
    getSapTranscript: sapTask,
    getSapResult: sapTask,
    rateResult: answeredTask,
    listRatings: answeredTask,
    ...Object.fromEntries(["getProposal", "acceptProposal", "refuseProposal"].map((id) => [id, proposal])),
    getEscalation: asked,
    assignEscalation: async () => {
      const { ids, ...rest } = await asked();
      return {
        ...rest,
        ids: { ...ids, [exampleOf("changeMember").named["memberId"] ?? ""]: "administrator" },
      };
    },
    commentOnEscalation: asked,
    resolveEscalation: asked,
    // Quarantined by the operation that stands before it.
    restoreInstance: async () => ({ byPerson: true }),
    quarantineInstance: async () => ({ byPerson: true }),
    changeRetention: async () => ({ byPerson: true }),
    placeHold: async () => ({ byPerson: true }),
    releaseHold: heldRecord,
    ...versions("RoutingPolicy", "/v1/routing-policies"),
    simulateRoutingPolicy: draft("createRoutingPolicy", "/v1/routing-policies"),
    ...versions("PipelineTemplates", "/v1/pipeline-templates"),
  };

  return {
    /** A policy under another version, and the pack and its instance. */
    async prepare(): Promise<void> {
      const policy = String(exampleOf("createRoutingPolicy").body).replace("1.0.0", "0.9.0");
      await must("/v1/packs", { ...object.parse(exampleOf("registerPack").body), packVersion: "1.3.0" });
      await must("/v1/heartbeats", exampleOf("heartbeat").body);
      await must("/v1/routing-policies", policy, yaml);
      await must("/v1/routing-policies/0.9.0/publish");
      atWorkWithAttachment = await attachedToDispatch();
    },
    /** Makes what the example speaks of, and says by which ids. */
    async idsOf(operation: ReadOperation): Promise<Ids> {
      return (await preparations[operation.operationId]?.())?.ids ?? {};
    },
    async send(operation: ReadOperation): Promise<Response> {
      const { ids = {}, byPerson } = (await preparations[operation.operationId]?.()) ?? {};
      const own = { cookie, origin: server.origin };
      const open = operation.security.length === 0;
      const credentials = open ? {} : byPerson === true ? own : bearer(server.adminKey);
      const answer = await fetch(requestOf(operation, server.origin, { ids, credentials }));
      // Who signs in has a session, and who chooses a password another.
      cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
      return answer;
    },
  };
}
