import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Agent, manifestFromJson, startAgent } from "@signalbox/agent-sdk";
import { expect } from "@playwright/test";
import { changedFile, type Script, type Step, workOn } from "./scripted-work.ts";
import type { Stack } from "./stack.ts";

/** The demonstration's packs, policy and templates (A2A 3.1, 4.4), published in a spec's own Signalbox, and agents at work. */
export type Yard = {
  /** Submits a task over REST, as a program does. What is not scripted succeeds. */
  readonly submit: (wish?: Wish) => Promise<Submitted>;
  /** Has the agents that wait in this task go on. */
  readonly letGo: (taskId: string) => void;
  readonly rest: (method: "GET" | "POST", path: string, body?: string | object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

type Submitted = { readonly pipelineId: string; readonly taskId: string };
type Wish = {
  readonly title?: string;
  /** One of the demonstration's, or of what the spec has published since. */
  readonly templateId?: string;
  readonly script?: Script;
  /** Instead of a task id of its own. */
  readonly taskId?: string;
};

type Task = {
  readonly script: Script;
  readonly attempts: Map<string, number>;
  readonly gate: PromiseWithResolvers<void>;
};

const examples = join(import.meta.dirname, "../examples");
const read = (path: string) => readFileSync(join(examples, path), "utf8");
const documents = {
  "/v1/routing-policies": "config/routing-policy-with-verification.yaml",
  "/v1/pipeline-templates": "config/pipeline-templates.yaml",
};

export async function startYard(stack: Stack): Promise<Yard> {
  const rest = restOf(stack);
  const tasks = new Map<string, Task>();
  const agents = await startAgents(stack, tasks);
  for (const [path, file] of Object.entries(documents)) {
    const version = textAt(await rest("POST", path, read(file)), "version");
    await rest("POST", `${path}/${version}/publish`, { note: "For the journey" });
  }
  return {
    async submit({ title = "Add clamp", templateId = "implement-and-review", script = {}, taskId } = {}) {
      const named = taskId ?? `TASK-${crypto.randomUUID().slice(0, 8)}`;
      plan(tasks, named, script);
      const contract = {
        taskId: named,
        title,
        acceptanceCriteria: ["clamp(5, 0, 3) is 3"],
        expectedFiles: { modify: [changedFile] },
      };
      const answer = await rest("POST", "/v1/tasks", { templateId, contract });
      return { pipelineId: textAt(answer, "pipelineId"), taskId: named };
    },
    letGo: (taskId) => tasks.get(taskId)?.gate.resolve(),
    rest,
    async stop() {
      for (const { gate } of tasks.values()) gate.resolve();
      await Promise.all(agents.map((agent) => agent.drain()));
    },
  };
}

function plan(tasks: Map<string, Task>, taskId: string, script: Script): Task {
  const task: Task = { script, attempts: new Map(), gate: Promise.withResolvers() };
  tasks.set(taskId, task);
  return task;
}

function startAgents({ origin, key }: Stack, tasks: Map<string, Task>): Promise<Agent[]> {
  return Promise.all(
    readdirSync(join(examples, "packs")).map((name) => {
      const pack = manifestFromJson(read(join("packs", name)));
      return startAgent({
        url: origin,
        key,
        pack,
        instanceId: `${pack.packId}-1`,
        capacity: pack.interface?.maxConcurrentTasks ?? 1,
        timing: { heartbeatEveryMs: 1_000, leaseWaitSeconds: 5, drainWithinMs: 500 },
        work: (dispatch) => {
          const taskId = dispatch.envelope.contract?.taskId ?? "";
          const task = tasks.get(taskId) ?? plan(tasks, taskId, {});
          return workOn(dispatch, nextStep(task, dispatch.taskType), (signal) => letGo(task, signal));
        },
      });
    }),
  );
}

function nextStep({ script, attempts }: Task, taskType: string): Step {
  const done = attempts.get(taskType) ?? 0;
  attempts.set(taskType, done + 1);
  const steps = script[taskType] ?? [];
  return steps[Math.min(done, steps.length - 1)] ?? "succeeds";
}

/** Until the spec says so, or nobody waits for the answer any more. */
const letGo = ({ gate }: Task, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    gate.promise.then(resolve, reject);
    signal.addEventListener("abort", () => reject(new Error("called off")), { once: true });
  });

/** Text is YAML, anything else JSON. */
const restOf =
  ({ origin, key }: Stack): Yard["rest"] =>
  async (method, path, body) => {
    const yaml = typeof body === "string";
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": yaml ? "application/yaml" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: yaml ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.ok, `${method} ${path} was answered ${response.status}: ${text}`).toBe(true);
    return text === "" ? undefined : JSON.parse(text);
  };

function textAt(json: unknown, name: string): string {
  const value: unknown =
    typeof json === "object" && json !== null
      ? Object.getOwnPropertyDescriptor(json, name)?.value
      : undefined;
  if (typeof value !== "string") throw new TypeError(`the answer has no ${name}`);
  return value;
}
