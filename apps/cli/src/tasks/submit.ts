import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type CommonOptions, type Visit, visit } from "../connection/visit.ts";
import { CommandFailure, usageFailure } from "../failure.ts";
import { readInput } from "../read-input.ts";
import type { World } from "../world.ts";
import { follow, type FollowOptions } from "./follow.ts";
import { submissionFrom, type TaskFlags } from "./submission.ts";

type Options = CommonOptions &
  FollowOptions &
  TaskFlags & { readonly follow?: boolean | undefined; readonly idempotencyKey?: string | undefined };

const submitted = z.looseObject({ pipelineId: z.string(), traceId: z.string() });

export async function submitTask(world: World, file: string | undefined, options: Options): Promise<void> {
  // Taken in silence it would end with 0 at once, and a script would take a question for a success.
  if (options.stopAtQuestion === true && options.follow !== true)
    throw usageFailure("--stop-at-question goes with --follow.");
  const { template, taskType, id, title, criterion, risk, priority, timeout } = options;
  const flags = { template, taskType, id, title, criterion, risk, priority, timeout };
  const text = file === undefined ? undefined : { name: file, text: await readInput(world, file) };
  const body = submissionFrom(text, flags);
  const visiting = await visit(world, options);
  const { printer } = visiting;
  const { pipelineId, traceId } = await submitOnce(visiting, body, options.idempotencyKey ?? randomUUID());
  if (printer.json) await printer.value({ kind: "submitted", pipelineId, traceId });
  else await printer.lines(options.follow === true ? `Pipeline ${pipelineId}` : pipelineId);
  if (options.follow === true) await follow(visiting, pipelineId, options, "begun");
  else await printer.aside(`\`signalbox pipelines follow ${pipelineId}\` tells how it goes.`);
}

const TRIES = 4;
const FIRST_PAUSE_MS = 300;

/** D22: an answer that was lost on its way is asked for again under the same key, and is no second task. */
async function submitOnce({ world, client }: Visit, body: string, key: string) {
  const asked = { body, headers: { "idempotency-key": key }, signal: world.interrupted };
  for (let tried = 1; ; tried += 1) {
    try {
      return await client.read(submitted, "POST", "/v1/tasks", asked);
    } catch (error) {
      if (!(error instanceof CommandFailure) || !error.unanswered || tried === TRIES) throw error;
      await world.sleep(FIRST_PAUSE_MS * 2 ** tried, world.interrupted);
    }
  }
}
