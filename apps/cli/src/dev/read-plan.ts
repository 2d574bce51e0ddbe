import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  decodeMessageJson,
  SignalboxError,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { CommandEnded, CommandFailure, usageFailure } from "../failure.ts";
import { kinds } from "../documents/kinds.ts";
import { tellFaults } from "../documents/read-file.ts";
import { cleanText } from "../output/clean-text.ts";
import type { Printer } from "../output/printer.ts";
import { missing, readInput } from "../read-input.ts";
import { submissionFrom, type TaskFlags } from "../tasks/submission.ts";
import type { World } from "../world.ts";
import { agentFromWords, programOf } from "./agent-file.ts";
import { type DevDocuments, readDevDocuments } from "./dev-documents.ts";
import { type DevPack, type FileFault, type PackFolder, readPackFolder } from "./pack-folder.ts";
import { whyNotStarted } from "./tools-at-hand.ts";

export type PlanOptions = {
  readonly packs: string;
  readonly config: string;
  readonly policy?: string | undefined;
  readonly templates?: string | undefined;
  readonly agent?: string | undefined;
};
export type ReadPlan = Pick<PackFolder, "packs"> & {
  readonly documents: DevDocuments;
  /** Where templates were looked for, and none is. */
  readonly noTemplatesIn: string | undefined;
};

/** Packs, policy and templates of a folder; all that is wrong with any of them is told at once. */
export async function readPlan(world: World, printer: Printer, options: PlanOptions): Promise<ReadPlan> {
  if (options.agent?.trim() === "") throw usageFailure('--agent: a command such as "claude -p" is allowed.');
  const standIn = options.agent === undefined ? undefined : agentFromWords(options.agent);
  const folder = resolve(world.folder, options.packs);
  const { packs, faults: unread } = readPackFolder(folder, standIn);
  const faults = [...unread, ...missingPrograms(world, packs)];
  const templates = options.templates ?? join(options.config, kinds["pipeline-templates"].file);
  const isThere = options.templates !== undefined || existsSync(resolve(world.folder, templates));
  const noTemplatesIn = isThere ? undefined : templates;
  const files = {
    "routing-policy": await read(world, options.policy ?? join(options.config, kinds["routing-policy"].file)),
    "pipeline-templates": noTemplatesIn === undefined ? await read(world, templates) : undefined,
  };
  // Packs that could not be read are known all the same: their names are not what is wrong.
  const known = unread.length > 0 ? undefined : new Set(packs.map(({ manifest }) => manifest.packId));
  const documents = readDevDocuments(files, known);
  if (!Array.isArray(documents) && faults.length === 0) return { packs, documents, noTemplatesIn };
  if (printer.json) {
    const bad = Array.isArray(documents)
      ? documents.map(({ file, faults: own }) => ({ file, faults: own }))
      : [];
    await printer.value({ valid: false, packs: faults, documents: bad });
  } else {
    await printer.lines(
      ...faults.map(({ file, message }) =>
        cleanText(`${file === "--agent" ? file : join(options.packs, file)}: ${message}`),
      ),
    );
    for (const { file, text, faults: own } of Array.isArray(documents) ? documents : []) {
      await tellFaults(printer, file, text, own);
    }
  }
  throw new CommandEnded("failed");
}

/** CLI-77: an attempt whose program cannot be started was seen by nobody, and would be sent again for minutes. */
function missingPrograms({ environment, folder }: World, packs: readonly DevPack[]): FileFault[] {
  const found = packs.flatMap(({ agent, namedBy, folder: packFolder }) => {
    const program = programOf(agent, { packFolder, workFolder: folder, variables: environment.variable });
    const message = whyNotStarted(program);
    return message === undefined ? [] : [{ file: namedBy, message }];
  });
  // What the option names is told once, however many packs it stands for.
  return [...new Map(found.map((fault) => [fault.file, fault])).values()];
}

const read = async (world: World, file: string) => ({ file, text: await readInput(world, file) });

/** Before anything is started for a task that could not begin. */
export function requireTemplates({ noTemplatesIn }: ReadPlan, { work }: TaskSubmission): void {
  if (noTemplatesIn === undefined || work.case !== "templateId") return;
  throw usageFailure(`${missing(noTemplatesIn)} A task with a template needs it; --task-type does not.`);
}

/** The task, judged as the server would judge it. */
export async function readTask(
  world: World,
  file: string | undefined,
  flags: TaskFlags,
): Promise<TaskSubmission> {
  const text = file === undefined ? undefined : { name: file, text: await readInput(world, file) };
  try {
    return decodeMessageJson(TaskSubmissionSchema, submissionFrom(text, flags), { unknownFields: "refuse" });
  } catch (error) {
    throw error instanceof SignalboxError ? refusalOf(error) : error;
  }
}

export const refusalOf = ({ code, detail, violations }: SignalboxError): CommandFailure =>
  new CommandFailure("failed", detail, {
    problem: { code, detail, violations, requestId: "", status: 0, title: "" },
  });
