import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Escalation, EscalationOption, Resolution } from "@signalbox/core";
import { SignalboxError } from "@signalbox/contracts";
import { questionLines } from "../escalations/question-lines.ts";
import { cleanText } from "../output/clean-text.ts";
import type { Printer } from "../output/printer.ts";
import type { World } from "../world.ts";
import { partsOf, resolutionFrom, type Said } from "./answer-from.ts";
import type { DevEngine } from "./engine.ts";

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
  await printer.lines(
    "",
    ...questionLines(
      { ...question, options: [...question.options], openedAt: new Date(question.openedAt).toISOString() },
      printer,
    ),
  );
  const output = new Writable({
    write(chunk, _encoding, done) {
      void err.write(String(chunk));
      done();
    },
  });
  const terminal = createInterface({ input, output });
  try {
    for (;;) {
      const answer = await readAnswer(terminal, question, interrupted);
      try {
        await engine.answer(question.escalationId, answer);
        return true;
      } catch (error) {
        if (!(error instanceof SignalboxError)) throw error;
        const faults = error.violations.map(({ field, message }) => `  ${field} ${message}`);
        await printer.lines(printer.paint("bad", cleanText([error.detail, ...faults].join("\n"))));
      }
    }
  } catch (error) {
    // Ctrl-C, or the input ended.
    if (
      interrupted.aborted ||
      (error instanceof Error && /abort|closed/i.test(`${error.name} ${error.message}`))
    )
      return false;
    throw error;
  } finally {
    terminal.close();
  }
}

async function readAnswer(
  terminal: Interface,
  { options, recommended }: Escalation,
  signal: AbortSignal,
): Promise<{ resolution: Resolution; comment: string }> {
  for (;;) {
    const word =
      (
        await terminal.question(`Your answer (${options.join(", ")}; Enter: ${recommended})? `, { signal })
      ).trim() || recommended;
    const option = options.find((one): one is EscalationOption => one === word);
    if (option === undefined) continue;
    const said: Record<string, string> = {};
    for (const { name, question, needed } of partsOf[option]) {
      for (;;) {
        said[name] = (await terminal.question(question, { signal })).trim();
        if (!needed || said[name] !== "") break;
      }
    }
    const usable: Said = said;
    const resolution = resolutionFrom(option, usable);
    if (resolution === undefined) continue;
    const comment = (await terminal.question("Why (it goes on record)? ", { signal })).trim();
    return { resolution, comment: comment === "" ? "Answered at the terminal of a dev session" : comment };
  }
}
