import { create, toJson } from "@bufbuild/protobuf";
import { TaskEnvelopeSchema } from "@signalbox/contracts";

type Sent = {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly at: number;
  readonly headers: Headers;
};
type Reply = { status?: number; json?: object; text?: string; headers?: Record<string, string> };
/** What is done with one request; "lost" arrives and is not answered, "unreachable" does not arrive. */
export type Step = Reply | (() => Reply) | "lost" | "unreachable";

export const problem = (status: number, code: string, more: object = {}): Reply => ({
  status,
  json: { code, detail: `It is ${code}.`, violations: [], ...more },
});

const usual: Record<string, () => Reply> = {
  packs: () => ({ status: 201, json: {} }),
  heartbeats: () => ({
    json: {
      leaseExpiresAt: new Date(Date.now() + 30_000).toISOString(),
      healthStatus: "HEALTH_STATUS_HEALTHY",
      cancelDispatchIds: [],
      drain: false,
    },
  }),
  leases: () => ({ json: { envelopes: [], leaseExpiresAt: null, lostDispatchIds: [] } }),
  result: () => ({ json: { receivedAt: new Date().toISOString() } }),
};

const kindOf = (path: string, body: Record<string, unknown>) => {
  const last = path.split("/").at(-1) ?? "";
  return last === "leases" && body["renew"] !== undefined ? "renewals" : last;
};

/** The paths by their last word: packs, heartbeats, leases (renewals are `renewals`), result. */
export function scriptedSignalbox() {
  const steps = new Map<string, Step[]>();
  const sent: Sent[] = [];
  async function answer(path: string, init: RequestInit): Promise<Response> {
    const body = JSON.parse(init.body as string) as Record<string, unknown>;
    const kind = kindOf(path, body);
    sent.push({ path, body, at: performance.now(), headers: new Headers(init.headers) });
    const waits = kind === "leases" && (steps.get(kind) ?? []).length === 0;
    if (waits) await until(init.signal, Number(body["waitSeconds"] ?? 0) * 1_000);
    const step = steps.get(kind)?.shift() ?? usual[kind === "renewals" ? "leases" : kind]?.() ?? {};
    if (step === "unreachable") throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
    if (step === "lost") {
      await until(init.signal, Number.POSITIVE_INFINITY);
    }
    const reply = typeof step === "function" ? step() : (step as Reply);
    const { status = 200, json, text = JSON.stringify(json ?? {}), headers = {} } = reply;
    return new Response(text, { status, headers: { date: new Date().toUTCString(), ...headers } });
  }

  return {
    sent: (kind: string) => sent.filter(({ path, body }) => kindOf(path, body) === kind),
    all: () => sent.map(({ path, body }) => kindOf(path, body)),
    /** The next requests of this kind are met so, one after another; then as usual. */
    meet: (kind: string, ...next: Step[]) => steps.set(kind, [...(steps.get(kind) ?? []), ...next]),
    connection: {
      url: "http://signalbox.test",
      key: "a-key",
      fetch: (url: Parameters<typeof fetch>[0], init: RequestInit = {}) =>
        answer(
          url instanceof URL ? url.pathname : new URL(typeof url === "string" ? url : url.url).pathname,
          init,
        ),
    },
  };
}

function until(signal: AbortSignal | null | undefined, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

export const envelopeJson = (dispatchId: string, { timeout }: { timeout?: number } = {}) =>
  toJson(
    TaskEnvelopeSchema,
    create(TaskEnvelopeSchema, {
      protocolVersion: { schemaVersion: "1.0.0" },
      contract: { taskId: "TASK-1", title: "Say hello", acceptanceCriteria: ["It says hello"] },
      trace: { traceId: "trace-1", spanId: "span-1", tenantId: "default" },
      safety: {},
      refs: [{ uriOrLocator: "task:TASK-1" }],
      execution: {
        idempotencyKey: "pipeline/implement",
        dispatchId,
        attemptNumber: 1,
        ...(timeout === undefined ? {} : { timeout: { seconds: BigInt(timeout), nanos: 0 } }),
      },
      routing: { taskType: "greeting" },
    }),
  );

const inAMinute = () => new Date(Date.now() + 60_000).toISOString();

export const leased =
  (...envelopes: unknown[]): Step =>
  () => ({ json: { envelopes, leaseExpiresAt: inAMinute(), lostDispatchIds: [] } });
export const renewed =
  (...lostDispatchIds: string[]): Step =>
  () => ({ json: { envelopes: [], leaseExpiresAt: inAMinute(), lostDispatchIds } });
