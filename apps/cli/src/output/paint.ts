import { styleText } from "node:util";
import type { Environment } from "../environment.ts";
import type { Sink } from "../world.ts";

export type Tone = "strong" | "quiet" | "good" | "attention" | "bad" | "added" | "removed";
export type Paint = (tone: Tone, text: string) => string;

/** Amber and red only where a person is needed. */
const styles: Record<Tone, Parameters<typeof styleText>[0]> = {
  strong: "bold",
  quiet: "dim",
  good: "green",
  attention: "yellow",
  bad: "red",
  added: "green",
  removed: "red",
};

/** Colour is for a terminal, and for nobody who said that they want none. */
export const paintFor = (sink: Sink, { colourless }: Environment): Paint =>
  sink.isTerminal && !colourless
    ? (tone, text) => styleText(styles[tone], text, { validateStream: false })
    : (_tone, text) => text;
