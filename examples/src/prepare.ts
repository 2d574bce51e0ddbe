import { setTimeout as pause } from "node:timers/promises";
import { demonstrationDomain, documents, jsonObject, manifests, tasks } from "./files.ts";
import { at, listAt, type Rest, textAt } from "./rest.ts";

export type Say = (line: string) => void;

/** The tenant holds what is not the demonstration's: then it touches nothing. */
class TenantInUse extends Error {
  override readonly name = "TenantInUse";
}

/**
 * Whether nothing is there, or only what an earlier start of the demonstration put there, which this one then goes on
 * with. Anything else is somebody's work.
 */
export async function assertOurs(rest: Rest): Promise<void> {
  const packs = listAt((await rest("GET", "/v1/packs?limit=100")).json, "packs");
  for (const pack of packs) {
    const [id, version] = [textAt(pack, "packId"), textAt(pack, "packVersion")];
    const { json } = await rest(
      "GET",
      `/v1/packs/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`,
    );
    if (!listAt(at(json, "manifest"), "ownerDomains").includes(demonstrationDomain))
      throw inUse(`the pack ${id}`);
  }
  if (packs.length > 0) return;
  const others: [path: string, list: string, what: string][] = [
    ["/v1/routing-policies", "versions", "a routing policy"],
    ["/v1/pipeline-templates", "versions", "a pipeline template"],
    ["/v1/pipelines", "pipelines", "a pipeline"],
  ];
  for (const [path, list, what] of others)
    if (listAt((await rest("GET", `${path}?limit=1`)).json, list).length > 0) throw inUse(what);
}

const inUse = (what: string) =>
  new TenantInUse(
    `This Signalbox is in use: it has ${what} that is not the demonstration's. Nothing was touched. ` +
      "To see the demonstration, give it a data folder of its own: SIGNALBOX_DATA=.signalbox-demo npm run demo",
  );

/** Packs, the specification's policy and templates: what is there already is left as it is. */
export async function publish(rest: Rest): Promise<void> {
  for (const manifest of manifests()) await rest("POST", "/v1/packs", manifest);
  await publishFirst(rest, "/v1/routing-policies", documents.policy());
  await publishFirst(rest, "/v1/pipeline-templates", documents.templates());
}

/** Unless one was published before, be it this one or what an operator put in its place. */
async function publishFirst(rest: Rest, path: string, text: string): Promise<void> {
  const versions = listAt((await rest("GET", `${path}?limit=100`)).json, "versions");
  if (versions.some((version) => textAt(version, "publishedAt") !== "")) return;
  await draftAndPublish(rest, path, text);
}

async function draftAndPublish(rest: Rest, path: string, text: string): Promise<void> {
  const version = textAt((await rest("POST", path, text)).json, "version");
  await rest("POST", `${path}/${version}/publish`, { note: "The demonstration" });
}

type Told = {
  readonly rest: Rest;
  readonly say: Say;
  readonly signal: AbortSignal;
  readonly soakSeconds: number;
};

/**
 * Submits each task once. The first meets the specification's own policy, in which nobody may verify (D23), and so waits
 * for a person; then the demonstration does what an operator would, and publishes the route for all that come after.
 */
export async function submitTasks({ rest, say, signal, soakSeconds }: Told): Promise<void> {
  const [first, ...others] = tasks();
  if (first === undefined) return;
  const known = new Map(
    listAt((await rest("GET", "/v1/pipelines?limit=100")).json, "pipelines").map((pipeline) => [
      textAt(pipeline, "sourceTaskId"),
      textAt(pipeline, "pipelineId"),
    ]),
  );
  const submit = async (task: object): Promise<string> => {
    const taskId = textAt(at(task, "contract"), "taskId");
    const before = known.get(taskId);
    if (before !== undefined) return before;
    const { json: answer } = await rest("POST", "/v1/tasks", withSoak(task, soakSeconds));
    say(`${taskId} was submitted: ${textAt(at(task, "contract"), "title")}`);
    return textAt(answer, "pipelineId");
  };
  const pipelineId = await submit(first);
  const version = "1.1.0";
  const path = "/v1/routing-policies";
  if ((await rest("GET", `${path}/${version}`)).status === 404) {
    await waitForQuestion(rest, pipelineId, signal);
    if (signal.aborted) return;
    await draftAndPublish(rest, path, documents.policyWithVerification());
    say(`Routing policy ${version} was published: it has the route to verification that 1.0.0 lacks`);
  }
  for (const task of others) if (!signal.aborted) await submit(task);
}

async function waitForQuestion(rest: Rest, pipelineId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { json } = await rest("GET", `/v1/pipelines/${pipelineId}`);
    if (textAt(json, "status") !== "PIPELINE_STATUS_RUNNING") return;
    await pause(500, undefined, { signal }).catch(() => undefined);
  }
}

/** How long the slow task takes is the visitor's to say. */
const withSoak = (task: object, seconds: number): object =>
  jsonObject(JSON.stringify(task).replace("--seconds 120", `--seconds ${seconds}`));
