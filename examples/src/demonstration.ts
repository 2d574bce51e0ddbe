import { mkdirSync } from "node:fs";
import { type Agent, type AgentSettings, startAgent } from "@signalbox/agent-sdk";
import { developer } from "./agents/developer.ts";
import { reviewer } from "./agents/reviewer.ts";
import { securityReviewer } from "./agents/security-reviewer.ts";
import { verifier } from "./agents/verifier.ts";
import { makeKeys, revokeKeys } from "./agent-keys.ts";
import { readPacks } from "./files.ts";
import { assertOurs, publish, type Say, submitTasks } from "./prepare.ts";
import { restOf } from "./rest.ts";
import { openYard, requireGit, type Yard } from "./yard.ts";

export type DemonstrationSettings = {
  readonly url: string;
  /** An administrator's. */
  readonly key: string;
  /** Where the scratch repository is kept. */
  readonly folder: string;
  readonly say: Say;
  /** How long the slow task takes. */
  readonly soakSeconds?: number;
  readonly timing?: AgentSettings["timing"];
};

export type Demonstration = {
  readonly repository: string;
  /** All tasks are submitted; rejects with what kept one from being. */
  readonly submitted: Promise<void>;
  stop(): Promise<void>;
};

/** Sets a tenant that nobody used up as a yard, and puts its agents to work in it. */
export async function startDemonstration(settings: DemonstrationSettings): Promise<Demonstration> {
  const { folder, say, soakSeconds = 120 } = settings;
  const rest = restOf(settings);
  await requireGit();
  await assertOurs(rest);
  mkdirSync(folder, { recursive: true });
  const yard = await openYard(folder);
  await publish(rest);
  const keys = await makeKeys(rest);
  const agents = await startAgents(settings, yard, keys);
  say(`${agents.length} agents are at work in ${yard.repository}`);
  const stopping = new AbortController();
  const submitted = submitTasks({ rest, say, signal: stopping.signal, soakSeconds });
  submitted.catch(() => undefined);
  return {
    repository: yard.repository,
    submitted,
    stop: async () => {
      stopping.abort();
      await submitted.catch(() => undefined);
      await Promise.all(agents.map((agent) => agent.drain()));
      // A Signalbox that is gone hears nothing; the next start of the demonstration withdraws them.
      await revokeKeys(rest).catch(() => undefined);
    },
  };
}

type Work = Required<Pick<AgentSettings, "role" | "work">>;

/** By pack. Two of them do two kinds of work, as their manifests say. */
export function workIn(yard: Yard): Readonly<Record<string, Work>> {
  const review = reviewer(yard);
  const verify = verifier(yard);
  const develop = developer(yard, "senior-python-dev");
  return {
    "senior-python-dev": {
      role: "developer",
      work: (dispatch) => (dispatch.taskType === "code-review" ? review : develop)(dispatch),
    },
    "senior-ts-dev": { role: "developer", work: developer(yard, "senior-ts-dev") },
    "generalist-dev": { role: "developer", work: developer(yard, "generalist-dev") },
    "qa-engineer": {
      role: "reviewer",
      work: (dispatch) => (dispatch.taskType === "verification" ? verify : review)(dispatch),
    },
    "security-reviewer": { role: "reviewer", work: securityReviewer(yard) },
  };
}

/** One process for all of them: each is a heartbeat and a request that waits. */
function startAgents(
  { url, say, timing }: DemonstrationSettings,
  yard: Yard,
  keys: ReadonlyMap<string, string>,
): Promise<Agent[]> {
  const work = workIn(yard);
  return Promise.all(
    readPacks().map((pack) => {
      const own = work[pack.packId];
      if (own === undefined) throw new Error(`nobody works as ${pack.packId}`);
      return startAgent({
        url,
        key: keys.get(pack.packId) ?? "",
        pack,
        instanceId: `${pack.packId}-1`,
        capacity: pack.interface?.maxConcurrentTasks ?? 1,
        onTrouble: (error, doing) => say(`${pack.packId}, ${doing}: ${error.message}`),
        timing: { drainWithinMs: 3_000, ...timing },
        ...own,
      });
    }),
  );
}
