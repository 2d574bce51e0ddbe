import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFailure, usageFailure } from "../failure.ts";
import type { World } from "../world.ts";

export type ConnectionOptions = { readonly url?: string | undefined; readonly keyFile?: string | undefined };
export type Connection = {
  readonly url: URL;
  readonly key: string | undefined;
  readonly warning: string | undefined;
};

const defaultUrl = "http://127.0.0.1:7400";
const LONGEST_KEY = 512;
const keyForm = /^[A-Za-z0-9._~+/=-]+$/;

/** Where to, and as whom. A key is never an argument: every program on the machine may read those (`ps`). */
export async function readConnection(
  { environment, folder }: Pick<World, "environment" | "folder">,
  options: ConnectionOptions,
): Promise<Connection> {
  const url = readUrl(
    options.url ?? environment.url ?? defaultUrl,
    options.url === undefined ? "SIGNALBOX_URL" : "--url",
  );
  const key =
    options.keyFile === undefined
      ? environment.key && checkedKey(environment.key, "SIGNALBOX_KEY")
      : checkedKey(await readKeyFile(resolve(folder, options.keyFile)), options.keyFile);
  const open = key !== undefined && url.protocol === "http:" && !isLoopback(url);
  return {
    url,
    key,
    warning: open ? `The key goes to ${url.host} unencrypted; https would keep it.` : undefined,
  };
}

function readUrl(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw usageFailure(
      `${from}: read ${JSON.stringify(text.slice(0, 100))}; an address such as ${defaultUrl} is allowed.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw usageFailure(
      `${from}: a name or password in the address is not used; give a key as SIGNALBOX_KEY or --key-file.`,
    );
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw usageFailure(
      `${from}: read ${JSON.stringify(text.slice(0, 100))}; only ${url.origin} is used, so give that.`,
    );
  }
  return url;
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
    throw new CommandFailure("usage", `--key-file: ${path} cannot be read (${code}).`, { cause });
  }
}

/** What it says is never repeated: it may be almost a key. */
function checkedKey(text: string, from: string): string {
  const key = text.trim();
  if (key !== "" && key.length <= LONGEST_KEY && keyForm.test(key)) return key;
  const why =
    key === ""
      ? "is empty"
      : "holds what no key holds: one line of letters, digits and . _ ~ + / = - is allowed";
  throw usageFailure(`${from} ${why}.`);
}

const isLoopback = ({ hostname }: URL) =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
