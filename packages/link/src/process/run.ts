import { toJsonString } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  decodeMessageJson,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { sacpResult } from "@signalbox/core";
import { LinkFailure, type Reached, type RunAnswer } from "@signalbox/engine";
import { attemptOf } from "../attempt-of.ts";
import type { AgentProgram, Programs } from "./adapter.ts";
import { calledOff, failureOf, notStarted } from "./failure.ts";
import { promptOf } from "./prompt.ts";
import { type ProgramEnd, startProgram } from "./program-process.ts";

export async function run(
  programs: Programs,
  to: Reached,
  envelope: TaskEnvelope,
  signal: AbortSignal,
): Promise<RunAnswer> {
  const program = programs.program(to.packId);
  if (program === undefined) throw new LinkFailure("not-taken", `there is no program for pack ${to.packId}`);
  const endTurn = await programs.turns.next(signal).catch((cause: unknown) => {
    throw new LinkFailure("not-taken", "it was called off before its turn came", { cause });
  });
  try {
    return await runProgram(programs, { program, packId: to.packId, envelope, signal });
  } finally {
    endTurn();
  }
}

type Turn = { program: AgentProgram; packId: string; envelope: TaskEnvelope; signal: AbortSignal };

async function runProgram(
  { running, onBegin, onLine }: Programs,
  { program, packId, envelope, signal }: Turn,
): Promise<RunAnswer> {
  const { dispatchId } = attemptOf(envelope);
  const input =
    program.input === "prompt" ? promptOf(envelope) : `${toJsonString(TaskEnvelopeSchema, envelope)}\n`;
  onBegin?.(packId, dispatchId);
  const process = startProgram(program, input, (line) => onLine?.(packId, line));
  const stop = (): void => void process.stop(0);
  running.set(dispatchId, process);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    const end = await process.ended.catch((error: unknown) => {
      throw notStarted(error);
    });
    try {
      return { kind: "answered", result: resultOf(envelope, program, end) };
    } catch (error) {
      throw signal.aborted ? calledOff() : error;
    }
  } finally {
    running.delete(dispatchId);
    signal.removeEventListener("abort", stop);
  }
}

function resultOf(envelope: TaskEnvelope, program: AgentProgram, end: ProgramEnd): AgentResult {
  const { output, exitCode } = end;
  if (output === undefined) throw failureOf(end);
  if (envelope.responseFormat === "json_standard") {
    // A program that failed by itself has not answered; one that answers in the wrong form has (D12).
    if (exitCode !== 0) throw failureOf(end);
    return sacpResult(envelope, output, [program.command, ...program.arguments].join(" "));
  }
  try {
    return decodeMessageJson(AgentResultSchema, output);
  } catch (cause) {
    throw failureOf(end, cause);
  }
}
