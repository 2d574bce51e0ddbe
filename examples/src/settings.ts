import { parseArgs } from "node:util";
import { join, resolve } from "node:path";

export type Settings = {
  /** A Signalbox that runs already; else one is started. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly folder: string;
  readonly soakSeconds: number;
};

/** The only place of the demonstration that reads arguments and the environment. */
export function readSettings(words: readonly string[], environment: NodeJS.ProcessEnv): Settings {
  const { values } = parseArgs({
    args: [...words],
    options: {
      url: { type: "string" },
      folder: { type: "string" },
      "soak-seconds": { type: "string", default: "120" },
    },
  });
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
