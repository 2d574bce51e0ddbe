import { type Bell, pipelineBell } from "../connection/pipeline-bell.ts";
import { type CommonOptions, visit, type Visit } from "../connection/visit.ts";
import type { Ending } from "../exit-codes.ts";
import { CommandEnded, CommandFailure } from "../failure.ts";
import { durationText, statusText } from "../output/moment-text.ts";
import type { Pipeline } from "../pipelines/answers.ts";
import { readPipeline } from "../pipelines/show-pipeline.ts";
import { endingOfStatus } from "../pipelines/status.ts";
import type { World } from "../world.ts";
import { type Before, progressBetween } from "./progress.ts";
import { progressLine } from "./progress-line.ts";

export type FollowOptions = { readonly stopAtQuestion?: boolean | undefined };

const SHORTEST_MS = 200;
const LONGEST_UNTOLD_MS = 2_000;
/** While the stream tells, it is asked for only in case a message was lost. */
const LONGEST_MS = 15_000;
const LONGEST_AWAY_MS = 10_000;

export async function followCommand(
  world: World,
  pipelineId: string,
  options: CommonOptions & FollowOptions,
): Promise<void> {
  await follow(await visit(world, options), pipelineId, options);
}

/** Tells what happens to a pipeline until it ends; ends the command as the pipeline ended. */
export async function follow(
  visiting: Visit,
  pipelineId: string,
  options: FollowOptions,
  since?: "begun",
): Promise<void> {
  const bell = pipelineBell(visiting.world, visiting.client, pipelineId);
  try {
    await followBy(bell, visiting, pipelineId, options, since);
  } finally {
    bell.close();
  }
}

async function followBy(
  bell: Bell,
  visiting: Visit,
  pipelineId: string,
  options: FollowOptions,
  since: Before,
): Promise<void> {
  const { world, printer } = visiting;
  let before = since;
  let pauseMs = SHORTEST_MS;
  for (;;) {
    const after = await lookPatiently(visiting, pipelineId);
    if (after === undefined) return stopFollowing(visiting, pipelineId);
    const news = progressBetween(before, after);
    for (const progress of news) {
      if (printer.json) await printer.value({ ...progress, pipelineId, at: world.now().toISOString() });
      else await printer.lines(progressLine(progress, world.now(), printer));
    }
    const ending = endingOfStatus(after.status);
    if (ending !== undefined) return tellEnd(visiting, after, ending);
    if (options.stopAtQuestion === true && after.openEscalations.length > 0)
      return tellQuestion(visiting, after);
    pauseMs = news.length > 0 ? SHORTEST_MS : Math.min(LONGEST_UNTOLD_MS, pauseMs * 1.5);
    before = after;
    await bell.wait(bell.stands() ? LONGEST_MS : pauseMs);
    if (world.interrupted.aborted) return stopFollowing(visiting, pipelineId);
  }
}

/** A server that is started anew is waited for; undefined when the waiting was interrupted. */
async function lookPatiently(
  { world, client, printer }: Visit,
  pipelineId: string,
): Promise<Pipeline | undefined> {
  for (let awayMs = 0; ;) {
    try {
      const found = await readPipeline(client, pipelineId, world.interrupted);
      if (awayMs > 0) await printer.aside("It answers again.");
      return found;
    } catch (error) {
      if (world.interrupted.aborted) return undefined;
      if (!(error instanceof CommandFailure) || error.ending !== "unreachable") throw error;
      if (awayMs === 0) await printer.aside(`${error.message} Trying again; Ctrl-C stops.`);
      awayMs = Math.min(LONGEST_AWAY_MS, awayMs === 0 ? 500 : awayMs * 2);
      await world.sleep(awayMs, world.interrupted);
      if (world.interrupted.aborted) return undefined;
    }
  }
}

async function tellEnd({ printer }: Visit, ended: Pipeline, ending: Ending): Promise<void> {
  const status = statusText(ended.status);
  const { pipelineId, createdAt, endedAt, retriesUsed, rejectionsUsed } = ended;
  const took = endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(createdAt);
  if (printer.json)
    await printer.value({ kind: "ended", pipelineId, status, tookMs: took, retriesUsed, rejectionsUsed });
  else {
    const mark = ending === "done" ? printer.paint("good", "✓") : printer.paint("bad", "✗");
    const [retries, rewinds] = [
      counted(retriesUsed, "retry", "retries"),
      counted(rejectionsUsed, "rewind", "rewinds"),
    ];
    await printer.lines(
      `${mark} Pipeline ${pipelineId} ${status} after ${durationText(took)}${retries}${rewinds}.`,
    );
  }
  if (ending !== "done") throw new CommandEnded(ending);
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? "" : `, ${count} ${count === 1 ? one : many}`;

async function tellQuestion({ printer }: Visit, { pipelineId, openEscalations }: Pipeline): Promise<void> {
  const escalationIds = openEscalations.map(({ escalationId }) => escalationId);
  if (printer.json) await printer.value({ kind: "waiting", pipelineId, escalationIds });
  else {
    await printer.lines(
      `A person has to answer: ${escalationIds.join(", ")}.`,
      `\`signalbox pipelines follow ${pipelineId}\` goes on from here.`,
    );
  }
  throw new CommandEnded("waiting");
}

async function stopFollowing({ printer }: Visit, pipelineId: string): Promise<void> {
  if (printer.json) await printer.value({ kind: "interrupted", pipelineId });
  else {
    await printer.lines(
      `Not followed any more; the pipeline goes on. \`signalbox pipelines follow ${pipelineId}\` follows it again,`,
      `\`signalbox pipelines abort ${pipelineId}\` ends it.`,
    );
  }
  throw new CommandEnded("interrupted");
}
