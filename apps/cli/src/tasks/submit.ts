import { z } from "zod";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { readInput } from "../read-input.ts";
import type { World } from "../world.ts";
import { follow, type FollowOptions } from "./follow.ts";
import { submissionFrom, type TaskFlags } from "./submission.ts";

type Options = CommonOptions &
  FollowOptions &
  TaskFlags & { readonly follow?: boolean | undefined; readonly idempotencyKey?: string | undefined };

const submitted = z.looseObject({ pipelineId: z.string(), traceId: z.string() });

export async function submitTask(world: World, file: string | undefined, options: Options): Promise<void> {
  const { template, taskType, id, title, criterion, risk, priority, timeout } = options;
  const flags = { template, taskType, id, title, criterion, risk, priority, timeout };
  const text = file === undefined ? undefined : { name: file, text: await readInput(world, file) };
  const body = submissionFrom(text, flags);
  const visiting = await visit(world, options);
  const { client, printer } = visiting;
  const headers = options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey };
  const { pipelineId, traceId } = await client.read(submitted, "POST", "/v1/tasks", { body, headers });
  if (printer.json) await printer.value({ kind: "submitted", pipelineId, traceId });
  else await printer.lines(options.follow === true ? `Pipeline ${pipelineId}` : pipelineId);
  if (options.follow === true) await follow(visiting, pipelineId, options);
  else await printer.aside(`\`signalbox pipelines follow ${pipelineId}\` tells how it goes.`);
}
