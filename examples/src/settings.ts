import { parseArgs } from "node:util";
import { join, resolve } from "node:path";

export type Settings = {
  /** A Signalbox that runs already; else one is started. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly folder: string;
  readonly soakSeconds: number;
};

const usage = `npm run demo -- [--soak-seconds 120] [--folder .signalbox/demonstration] [--url http://127.0.0.1:7400]

  --soak-seconds  how long the slow task takes
  --folder        where the scratch repository is kept
  --url           a Signalbox that runs already, with the key with which it was started in SIGNALBOX_BOOTSTRAP_KEY
`;

/** The only place of the demonstration that reads arguments and the environment; usage, where that is asked for. */
export function readSettings(words: readonly string[], environment: NodeJS.ProcessEnv): Settings | string {
  const values = readWords(words);
  if (values.help) return usage;
  const soakSeconds = Number(values["soak-seconds"]);
  if (!(soakSeconds >= 1 && soakSeconds <= 3_600))
    throw new RangeError(
      `--soak-seconds: read "${values["soak-seconds"]}"; a number from 1 to 3600 is allowed`,
    );
  const key = environment["SIGNALBOX_BOOTSTRAP_KEY"] || undefined;
  if (values.url !== undefined && key === undefined)
    throw new RangeError(
      "SIGNALBOX_BOOTSTRAP_KEY: read nothing; with --url, the key with which that Signalbox was started",
    );
  const data = environment["SIGNALBOX_DATA"] || ".signalbox";
  return { url: values.url, key, folder: resolve(values.folder ?? join(data, "demonstration")), soakSeconds };
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        url: { type: "string" },
        folder: { type: "string" },
        "soak-seconds": { type: "string", default: "120" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    const [fault] = error instanceof Error ? error.message.split(". ") : [String(error)];
    throw new RangeError(`${fault}. These are allowed:\n\n${usage.trimEnd()}`, { cause: error });
  }
}
