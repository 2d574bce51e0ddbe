import { createInterface } from "node:readline";
import { SignalboxError } from "@signalbox/contracts";
import type { Escalation, EscalationOption, Resolution } from "@signalbox/core";
import { questionLines } from "../escalations/question-lines.ts";
import { cleanText } from "../output/clean-text.ts";
import type { Printer } from "../output/printer.ts";
import type { World } from "../world.ts";
import { partsOf, resolutionFrom, type Said } from "./answer-from.ts";
import type { DevEngine } from "./engine.ts";

/** Asks for one line; undefined when there is nobody any more. */
type Ask = (question: string) => Promise<string | undefined>;

/**
 * Asks whoever sits at the terminal until an answer is taken. What may be answered core decides, as for everybody; its
 * refusal is shown, and the question asked again. Resolves with false when the person went away.
 */
export async function askPerson(
  { input, err, interrupted }: World,
  printer: Printer,
  engine: DevEngine,
  question: Escalation,
): Promise<boolean> {
  const openedAt = new Date(question.openedAt).toISOString();
  await printer.lines(
    "",
    ...questionLines({ ...question, options: [...question.options], openedAt }, printer),
  );
  const terminal = createInterface({ input });
  const close = () => terminal.close();
  interrupted.addEventListener("abort", close);
  const lines = terminal[Symbol.asyncIterator]();
  const ask: Ask = async (text) => {
    await err.write(text);
    const { value, done } = await lines.next();
    return done === true ? undefined : value.trim();
  };
  try {
    for (;;) {
      const answer = await readAnswer(ask, question);
      if (answer === undefined) return false;
      const refusal = await refusalOf(() => engine.answer(question.escalationId, answer));
      if (refusal === undefined) return true;
      await printer.lines(printer.paint("bad", cleanText(refusal)));
    }
  } finally {
    interrupted.removeEventListener("abort", close);
    terminal.close();
  }
}

async function refusalOf(answering: () => Promise<void>): Promise<string | undefined> {
  try {
    await answering();
    return undefined;
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return [error.detail, ...error.violations.map(({ field, message }) => `  ${field} ${message}`)].join(
      "\n",
    );
  }
}

type Answer = { readonly resolution: Resolution; readonly comment: string };

async function readAnswer(ask: Ask, { options, recommended }: Escalation): Promise<Answer | undefined> {
  for (;;) {
    const word = await ask(`Your answer (${options.join(", ")}; Enter: ${recommended})? `);
    if (word === undefined) return undefined;
    const option = options.find((one): one is EscalationOption => one === (word || recommended));
    if (option === undefined) continue;
    const said = await readParts(ask, option);
    const comment = said && (await ask("Why (it goes on record)? "));
    if (said === undefined || comment === undefined) return undefined;
    const resolution = resolutionFrom(option, said);
    if (resolution !== undefined) {
      return { resolution, comment: comment || "Answered at the terminal of a dev session" };
    }
  }
}

async function readParts(ask: Ask, option: EscalationOption): Promise<Said | undefined> {
  const said: Record<string, string> = {};
  for (const { name, question, needed } of partsOf[option]) {
    let text = await ask(question);
    while (text === "") {
      if (!needed) break;
      text = await ask(question);
    }
    if (text === undefined) return undefined;
    said[name] = text;
  }
  return said;
}
