import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandFailure } from "../failure.ts";
import type { World } from "../world.ts";
import { createdKey } from "./answers.ts";

type Options = CommonOptions & {
  readonly role: string;
  readonly pack?: readonly string[] | undefined;
  readonly expiresInDays?: number | undefined;
  readonly output?: string | undefined;
};

/** Makes a key. Its secret is shown this once, or kept in a file that only its owner may read. */
export async function createKey(world: World, label: string, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const { role, pack: packIds, expiresInDays, output } = options;
  // Before the key is made: a secret that cannot be kept is lost, and its key is left behind.
  const file = output === undefined ? undefined : await newFile(resolve(world.folder, output), output);
  try {
    const body = JSON.stringify({ label, role, packIds, expiresInDays });
    const { secret, ...made } = await client.read(createdKey, "POST", "/v1/keys", { body });
    await file?.keep(`${secret}\n`);
    if (printer.json)
      return await printer.value(file === undefined ? { ...made, secret } : { ...made, output });
    if (file === undefined) await printer.lines(secret);
    const kept = file === undefined ? "It is shown this once." : `It is in ${output}.`;
    await printer.aside(
      `Key ${made.keyId} (${made.role}). ${kept} \`signalbox key revoke ${made.keyId}\` ends it.`,
    );
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

async function newFile(path: string, output: string) {
  try {
    const handle = await open(path, "wx", 0o600);
    return {
      keep: async (text: string) => {
        await handle.writeFile(text);
        await handle.close();
      },
      discard: async () => {
        await handle.close().catch(() => undefined);
        await rm(path, { force: true });
      },
    };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = code === "EEXIST" ? "there is such a file already" : code;
    throw new CommandFailure("failed", `${output} cannot be made: ${why}.`, { cause });
  }
}
