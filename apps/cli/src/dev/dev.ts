import { relative, resolve } from "node:path";
import { PipelineStatus, SignalboxError, type TaskSubmission } from "@signalbox/contracts";
import { finished, type PipelineState } from "@signalbox/core";
import { CommandEnded } from "../failure.ts";
import { cleanLine } from "../output/clean-text.ts";
import { durationText, statusText } from "../output/moment-text.ts";
import { type Printer, printerFor } from "../output/printer.ts";
import type { Pipeline } from "../pipelines/answers.ts";
import { endingOfStatus } from "../pipelines/status.ts";
import { progressBetween } from "../tasks/progress.ts";
import { progressLine } from "../tasks/progress-line.ts";
import type { TaskFlags } from "../tasks/submission.ts";
import type { World } from "../world.ts";
import { answerOf, programOf } from "./agent-file.ts";
import { askPerson } from "./ask-person.ts";
import { auditFile } from "./audit-file.ts";
import { type DevEngine, openDevEngine } from "./engine.ts";
import { makeFolders } from "./make-folders.ts";
import { pipelineAnswer } from "./pipeline-answer.ts";
import { programTimes, timesColumns } from "./program-times.ts";
import {
  type PlanOptions,
  type ReadPlan,
  readPlan,
  readTask,
  refusalOf,
  requireTemplates,
} from "./read-plan.ts";
import { toolsAtHand } from "./tools-at-hand.ts";
import { writeTraceFile } from "./trace-file.ts";

type Options = PlanOptions &
  TaskFlags & {
    readonly json?: boolean | undefined;
    readonly check?: boolean | undefined;
    readonly verbose?: boolean | undefined;
    readonly audit: string;
    readonly traces: string;
    readonly data: string;
  };

const LOOK_EVERY_MS = 150;

/** A session on this machine: reads what there is, runs one task to its end, and leaves its record in a file. */
export async function runDev(world: World, file: string | undefined, options: Options): Promise<void> {
  const printer = printerFor(world, { json: options.json ?? false });
  const plan = await readPlan(world, printer, options);
  if (options.check === true) return tellPlan(printer, plan);
  const { template, taskType, id, title, criterion, risk, priority, timeout } = options;
  const task = await readTask(world, file, {
    template,
    taskType,
    id,
    title,
    criterion,
    risk,
    priority,
    timeout,
  });
  requireTemplates(plan, task);
  makeFolders({
    "--audit": resolve(world.folder, options.audit),
    "--traces": resolve(world.folder, options.traces),
  });
  const times = programTimes(() => world.now().getTime());
  const engine = await openEngineOf(world, printer, plan, { task, times, options });
  try {
    await runTask({ world, printer, plan, engine, task, options });
    if (!printer.json) await printer.lines("");
  } catch (error) {
    throw error instanceof SignalboxError ? refusalOf(error) : error;
  } finally {
    await engine.stop();
    if (!printer.json && times.rows().length > 0) await printer.table(timesColumns, times.rows(), "");
  }
}

async function tellPlan(printer: Printer, { packs, documents, noTemplatesIn }: ReadPlan): Promise<void> {
  const said = {
    packs: packs.map(({ manifest, agent }) => ({
      packId: manifest.packId,
      command: agent.command,
      reads: agent.reads,
    })),
    templates: documents.templateIds,
  };
  if (printer.json) return printer.value({ valid: true, ...said });
  await printer.lines(
    ...said.packs.map(({ packId, command, reads }) =>
      cleanLine(`${packId}: ${command.join(" ")} (reads ${reads})`),
    ),
    cleanLine(
      noTemplatesIn === undefined
        ? `templates: ${said.templates.join(", ")}`
        : `templates: none, as there is no ${noTemplatesIn}; a task with --task-type needs none`,
    ),
  );
}

type Opening = { task: TaskSubmission; times: ReturnType<typeof programTimes>; options: Options };

function openEngineOf(
  world: World,
  printer: Printer,
  { packs, documents }: ReadPlan,
  { task, times, options }: Opening,
): Promise<DevEngine> {
  const { environment, folder } = world;
  const aside = (text: string): void => void printer.aside(cleanLine(text));
  return openDevEngine({
    folder: resolve(folder, options.data),
    packs,
    texts: documents.texts,
    program: ({ agent, folder: packFolder }) =>
      programOf(agent, { packFolder, workFolder: folder, variables: environment.variable }),
    structured: new Set(
      packs.filter(({ agent }) => answerOf(agent) === "sacp").map(({ manifest }) => manifest.packId),
    ),
    availableTools: toolsAtHand(task.contract, environment.variable("PATH")),
    person: environment.person ?? "developer",
    tell: {
      begun: () => times.begun(),
      ended: (packId, why) => {
        times.ended(packId, why !== undefined);
        if (why !== undefined) aside(`! ${packId} is degraded: ${why}`);
      },
      said: (packId, line) => {
        if (options.verbose === true) aside(`  ${packId} | ${line}`);
      },
      failed: (what, error) => aside(`! ${what}: ${error instanceof Error ? error.message : String(error)}`),
    },
  });
}

type Session = {
  readonly world: World;
  readonly printer: Printer;
  readonly plan: ReadPlan;
  readonly engine: DevEngine;
  readonly task: TaskSubmission;
  readonly options: Options;
};

async function runTask(session: Session): Promise<void> {
  const { world, printer, engine, task, options } = session;
  const pipelineId = await engine.submit(task);
  const audit = auditFile(resolve(world.folder, options.audit), pipelineId);
  const path = relative(world.folder, audit.path) || audit.path;
  if (printer.json) await printer.value({ kind: "submitted", pipelineId, audit: path });
  else await printer.lines(`Pipeline ${pipelineId}`, `Record   ${path}`);
  const warn = deadlineWarning(session);
  let before: Pipeline | undefined;
  for (;;) {
    const looked = await engine.look(pipelineId);
    const after = pipelineAnswer(looked);
    if (after.revision !== before?.revision) audit.keep(await engine.entries(pipelineId));
    for (const progress of progressBetween(before, after)) {
      const at = world.now();
      if (printer.json) await printer.value({ ...progress, pipelineId, at: at.toISOString() });
      else await printer.lines(progressLine(progress, at, printer));
    }
    before = after;
    await warn(looked.state);
    if (finished.includes(looked.state.status)) {
      await keepTrace(session, pipelineId);
      return tellEnd(session, after);
    }
    const waiting = looked.state.escalations.length > 0 && isStill(looked.state);
    if (waiting || world.interrupted.aborted) {
      const went = waiting && !world.interrupted.aborted && (await askWhoIsThere(session, looked.state));
      if (!went) {
        await engine.abort(pipelineId, "The dev session ended");
        audit.keep(await engine.entries(pipelineId));
        await keepTrace(session, pipelineId);
        throw new CommandEnded(world.interrupted.aborted ? "interrupted" : "waiting");
      }
    } else await world.sleep(LOOK_EVERY_MS, world.interrupted);
  }
}

async function keepTrace({ world, printer, engine, options }: Session, pipelineId: string): Promise<void> {
  const folder = resolve(world.folder, options.traces);
  const written = writeTraceFile(folder, pipelineId, await engine.spans(pipelineId));
  const path = relative(world.folder, written) || written;
  if (printer.json) await printer.value({ kind: "traced", pipelineId, trace: path });
  else await printer.lines(`Trace    ${path}`);
}

/** Nothing else moves: only the answer does. A question beside work that goes on is asked when that is done. */
const isStill = ({ status }: PipelineState) => status === PipelineStatus.PAUSED;

async function askWhoIsThere({ world, printer, engine }: Session, state: PipelineState): Promise<boolean> {
  const [question] = state.escalations;
  if (question === undefined) return true;
  if (world.inputIsTerminal && !printer.json) return askPerson(world, printer, engine, question);
  await printer.aside("A person has to answer, and nobody is at a terminal: the session ends here.");
  if (printer.json)
    await printer.value({
      kind: "waiting",
      escalationIds: state.escalations.map(({ escalationId }) => escalationId),
    });
  return false;
}

/** A2A 4.7: the deadline of a dev session warns, and stops nothing. */
function deadlineWarning({ world, printer, plan, task }: Session) {
  const begun = world.now().getTime();
  const { case: way, value } = task.work;
  const deadlineMs = way === "templateId" ? plan.documents.deadlines.get(value) : undefined;
  let warned = deadlineMs === undefined;
  return async ({ plan: { pipelineId } }: PipelineState): Promise<void> => {
    if (warned || deadlineMs === undefined || world.now().getTime() - begun < deadlineMs) return;
    warned = true;
    if (printer.json) await printer.value({ kind: "deadline", pipelineId, deadlineMs });
    const text = `! The deadline of ${durationText(deadlineMs)} has passed. Outside a dev session it would be paused now.`;
    await printer.aside(printer.paint("attention", text));
  };
}

async function tellEnd({ printer }: Session, ended: Pipeline): Promise<void> {
  const status = statusText(ended.status);
  const ending = endingOfStatus(ended.status) ?? "failed";
  const took = ended.endedAt === null ? 0 : Date.parse(ended.endedAt) - Date.parse(ended.createdAt);
  const { pipelineId, retriesUsed, rejectionsUsed } = ended;
  if (printer.json)
    await printer.value({ kind: "ended", pipelineId, status, tookMs: took, retriesUsed, rejectionsUsed });
  else {
    const mark = ending === "done" ? printer.paint("good", "✓") : printer.paint("bad", "✗");
    await printer.lines(`${mark} Pipeline ${pipelineId} ${status} after ${durationText(took)}.`);
  }
  if (ending !== "done") throw new CommandEnded(ending);
}
