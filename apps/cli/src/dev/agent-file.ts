import { join } from "node:path";
import { z } from "zod";

/** The program that is a pack's agent, as its file says it. */
const agentFile = z.strictObject({
  command: z.array(z.string().min(1)).min(1),
  /** `prompt` for what a language model reads, `envelope` for JSON. */
  reads: z.enum(["envelope", "prompt"]).default("envelope"),
  /** `sacp`: whatever a model says, read by the structured protocol. `result`: an AgentResult as JSON. */
  answers: z.enum(["result", "sacp"]).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  /** Variables of its own environment that signalbox passes on. */
  pass: z.array(z.string().regex(/^[A-Za-z_]\w*$/)).default([]),
  /** Where it runs, from the folder in which signalbox was started. */
  directory: z.string().default("."),
});
export type AgentFile = z.output<typeof agentFile>;

export const readAgentFile = (value: unknown) => agentFile.safeParse(value);

export const agentFileFaults = (error: z.ZodError): string[] =>
  error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());

/** What every program needs to be found and to find its settings. No key of ours is among them. */
const alwaysPassed = ["PATH", "HOME", "USER", "LANG", "TERM", "TMPDIR", "SHELL"];

export const answerOf = ({ answers, reads }: AgentFile): "result" | "sacp" =>
  answers ?? (reads === "prompt" ? "sacp" : "result");

/** The program as it is started; `{pack}` in its command is the folder of its pack. */
export function programOf(
  { command, reads, environment, pass, directory }: AgentFile,
  {
    packFolder,
    workFolder,
    variables,
  }: {
    packFolder: string;
    workFolder: string;
    variables: (name: string) => string | undefined;
  },
) {
  const [first = "", ...rest] = command.map((word) => word.replaceAll("{pack}", packFolder));
  const passed = [...alwaysPassed, ...pass].flatMap((name) => {
    const value = variables(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    command: first,
    arguments: rest,
    directory: join(workFolder, directory),
    environment: { ...Object.fromEntries(passed), ...environment },
    input: reads,
  };
}

/** `--agent "claude -p"`: a command that reads a prompt and answers by the structured protocol. */
export const agentFromWords = (words: string): AgentFile =>
  agentFile.parse({ command: words.trim().split(/\s+/), reads: "prompt" });
