import { SignalboxError, type Violation } from "@signalbox/contracts";
import {
  type Action,
  decide,
  type PipelineEvent,
  readEscalationId,
  redactRationale,
  type Resolution,
  type Subjects,
} from "@signalbox/core";
import { findPipeline } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { makersOf } from "../identity/key-makers.ts";
import { commitOnce } from "../once/commit-once.ts";
import { plainForm } from "../once/kept-form.ts";
import type { Engine } from "../engine.ts";
import { holdsNul } from "../storable.ts";
import type { Asked } from "../system.ts";
import { transact } from "../transaction.ts";
import { unknownEscalation } from "./read-escalations.ts";
import { refused, type Step } from "./step.ts";
import { type Change, done, refuse } from "./work.ts";

/** What a person is told of what they asked for. */
export type PipelineAnswer = { readonly pipelineId: string; readonly revision: number };

const LONGEST_TEXT = 16_384;
/** What an attempt is told has as much room in its envelope, and a heading before it: as long as this it is never cut. */
const LONGEST_TOLD = 16_000;
const told: ReadonlySet<string> = new Set(["instructions", "answer"]);

type Command = {
  readonly action: Action & keyof { [A in Action as Subjects[A] extends undefined ? A : never]: A };
  readonly pipelineId: string;
  /** What was written, by the field that holds it: masked before anybody decides on it. */
  readonly texts: Readonly<Record<string, string>>;
  readonly event: (texts: Readonly<Record<string, string>>) => PipelineEvent;
  readonly concerns?: Change["concerns"];
};

async function ask(engine: Engine, asked: Asked, command: Command): Promise<PipelineAnswer> {
  const { caller } = asked;
  authorise(caller, command.action, undefined);
  refuseUnkeepable(command.texts);
  const { pipelineId } = command;
  if (holdsNul(pipelineId)) throw unknownPipeline(pipelineId);
  const change: Change<PipelineAnswer> = {
    kind: "change",
    way: "command",
    key: { tenantId: caller.tenantId, pipelineId },
    ...(command.concerns === undefined ? {} : { concerns: command.concerns }),
    decide(step) {
      const refusal = step.decide(command.event(masked(step, command.texts)));
      if (refusal !== undefined) return refuse(refused(refusal));
      return done({ pipelineId, revision: step.draft.state.revision });
    },
    // What it released is sent in the same transaction.
    conclude: ({ state }) => ({ pipelineId, revision: state.revision }),
  };
  return commitOnce(engine, asked, plainForm(), change);
}

const masked = ({ redactor }: Pick<Step, "redactor">, texts: Command["texts"]): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, redactRationale(redactor, text)]));

/** Half a surrogate pair is no text in UTF-8: an entry that held one could be written and never read again. */
function refuseUnkeepable(texts: Command["texts"]): void {
  const violations = Object.entries(texts).flatMap(([field, text]) => textFaults(field, text));
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "A text cannot be kept.", { violations });
}

function textFaults(field: string, text: string): Violation[] {
  const longest = told.has(field) ? LONGEST_TOLD : LONGEST_TEXT;
  if (text.length > longest) {
    const message = `has ${text.length} characters; at most ${longest} are allowed`;
    return [{ field, rule: "max_len", message }];
  }
  if (text.isWellFormed()) return [];
  return [{ field, rule: "well_formed", message: "must not contain half of a surrogate pair" }];
}

const unknownPipeline = (pipelineId: string) =>
  new SignalboxError("NOT_FOUND", `There is no pipeline "${pipelineId.slice(0, 100)}".`);

type Named = { readonly pipelineId: string; readonly note?: string };

export const pausePipeline = (engine: Engine, asked: Asked, { pipelineId, note = "" }: Named) =>
  ask(engine, asked, {
    action: "pipeline.pause",
    pipelineId,
    texts: { note },
    event: (texts) => ({ kind: "pause", by: asked.caller.actor, note: texts["note"] ?? "" }),
  });

export const resumePipeline = (engine: Engine, asked: Asked, { pipelineId, note = "" }: Named) =>
  ask(engine, asked, {
    action: "pipeline.resume",
    pipelineId,
    texts: { note },
    event: (texts) => ({ kind: "resume", by: asked.caller.actor, note: texts["note"] ?? "" }),
  });

export const abortPipeline = (engine: Engine, asked: Asked, { pipelineId, note = "" }: Named) =>
  ask(engine, asked, {
    action: "pipeline.abort",
    pipelineId,
    texts: { note },
    event: (texts) => ({ kind: "abort", by: asked.caller.actor, note: texts["note"] ?? "" }),
  });

export const rewindPipeline = (
  engine: Engine,
  asked: Asked,
  { pipelineId, stageId, instructions }: { pipelineId: string; stageId: string; instructions: string },
) =>
  ask(engine, asked, {
    action: "pipeline.rewind",
    pipelineId,
    texts: { instructions },
    event: (texts) => ({
      kind: "rewind",
      stageId,
      instructions: texts["instructions"] ?? "",
      by: asked.caller.actor,
    }),
  });

export type Answer = { readonly resolution: Resolution; readonly comment: string };

/** A question is answered once, by whoever's answer has the pipeline's lock first; the others are told that it was. */
export async function resolveEscalation(
  engine: Engine,
  asked: Asked,
  escalationId: string,
  { resolution, comment }: Answer,
): Promise<PipelineAnswer> {
  const place = readEscalationId(escalationId);
  if (place === undefined) throw unknownEscalation(escalationId);
  const by = asked.caller.actor;
  // TOKEN-3: who reads the record sees that a program answered for the person.
  const said =
    asked.caller.credential === "token" ? ["Through MCP", comment].filter(Boolean).join(": ") : comment;
  const texts = { comment: said, ...textsOf(resolution) };
  authorise(asked.caller, "escalation.resolve", undefined);
  const submittersMakers = await submittersMakersOf(engine, asked, place.pipelineId);
  const event = (clean: Command["texts"]): PipelineEvent => ({
    kind: "escalation-resolved",
    escalationId,
    by,
    comment: clean["comment"] ?? "",
    resolution: withTexts(resolution, clean),
    submittersMakers,
  });
  return ask(engine, asked, {
    action: "escalation.resolve",
    pipelineId: place.pipelineId,
    texts,
    event,
    concerns({ state }, around) {
      const open = state.escalations.find((one) => one.escalationId === escalationId);
      if (resolution.option !== "restore" || open === undefined || open.quarantined === null)
        return undefined;
      if (by.type !== "human") return undefined;
      const clean = masked(around, texts);
      if (decide(state, event(clean), around.now).kind === "refused") return undefined;
      return { ...open.quarantined, event: { kind: "restore", by, note: clean["comment"] ?? "" } };
    },
  }).catch((error: unknown) => {
    // A stage that is not there is told by its field; the question that it was to go back from is.
    const unknown =
      error instanceof SignalboxError && error.code === "NOT_FOUND" && error.violations.length === 0;
    throw unknown ? unknownEscalation(escalationId) : error;
  });
}

/** Neither the submitter of a pipeline nor who made a key ever changes, so that it may be read before. */
const submittersMakersOf = (
  engine: Engine,
  { caller: { tenantId } }: Asked,
  pipelineId: string,
): Promise<readonly string[]> =>
  transact(engine, tenantId, async (tx) => {
    if (holdsNul(pipelineId)) return [];
    const pipeline = await findPipeline(tx, pipelineId);
    return pipeline === undefined ? [] : makersOf(tx, pipeline.submittedBy);
  });

function textsOf(resolution: Resolution): Record<string, string> {
  switch (resolution.option) {
    case "retry":
    case "rewind":
      return { instructions: resolution.instructions };
    case "answer":
      return { answer: resolution.answer };
    case "extend":
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return {};
  }
}

function withTexts(resolution: Resolution, texts: Readonly<Record<string, string>>): Resolution {
  switch (resolution.option) {
    case "retry":
    case "rewind":
      return { ...resolution, instructions: texts["instructions"] ?? "" };
    case "answer":
      return { ...resolution, answer: texts["answer"] ?? "" };
    case "extend":
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return resolution;
  }
}
