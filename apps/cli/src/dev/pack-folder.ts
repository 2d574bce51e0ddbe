import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import {
  type AgentManifest,
  AgentManifestSchema,
  checkMessage,
  decodeMessageJson,
  SignalboxError,
} from "@signalbox/contracts";
import { parse } from "yaml";
import { type AgentFile, agentFileFaults, readAgentFile } from "./agent-file.ts";

/** A pack of the folder: what it is, and the program that is its agent. */
export type DevPack = {
  readonly manifest: AgentManifest;
  readonly agent: AgentFile;
  /** Where its program is named: a file of the folder, or the option. */
  readonly namedBy: string;
  /** The folder that its own files stand in. */
  readonly folder: string;
};

/** What is wrong with a file, by its name in the folder. */
export type FileFault = { readonly file: string; readonly message: string };
export type PackFolder = { readonly packs: readonly DevPack[]; readonly faults: readonly FileFault[] };

type Found = { readonly manifest: string; readonly agent: string };

/** The folder, as a name in it. */
const itself = ".";
const endings = [".yaml", ".yml", ".json"];
const LARGEST = 1024 * 1024;

/**
 * A2A 3.4: manifests are read from a folder. A pack is `<name>.yaml` (or .json) with its program in `<name>.agent.yaml`, or
 * a folder with `manifest.yaml` and `agent.yaml`. `standIn` is the program of packs that name none.
 */
export function readPackFolder(folder: string, standIn: AgentFile | undefined): PackFolder {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    return { packs: [], faults: [{ file: itself, message: "is no folder; packs are read from one" }] };
  }
  const faults: FileFault[] = [];
  const tell = (file: string, messages: readonly string[]) =>
    faults.push(...messages.map((message) => ({ file: relative(folder, file) || itself, message })));
  const packs = findPacks(folder).flatMap((found) => {
    const manifest = readManifest(found.manifest, tell);
    const agent = agentOf(found, standIn, tell);
    return manifest === undefined || agent === undefined
      ? []
      : [
          {
            manifest,
            agent,
            namedBy: agent === standIn ? "--agent" : relative(folder, found.agent),
            folder: dirname(found.manifest),
          },
        ];
  });
  for (const { manifest } of packs) {
    const same = packs.filter((other) => other.manifest.packId === manifest.packId);
    if (same.length > 1 && same[0]?.manifest === manifest) {
      tell(folder, [`holds ${same.length} packs called ${manifest.packId}; one is allowed`]);
    }
  }
  if (packs.length === 0 && faults.length === 0) tell(folder, ["holds no pack"]);
  return { packs, faults };
}

function findPacks(folder: string): Found[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry): Found[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const manifest = endings.map((ending) => join(path, `manifest${ending}`)).find(existsSync);
        return manifest === undefined ? [] : [{ manifest, agent: agentIn(join(path, "agent")) }];
      }
      const ending = endings.find((one) => entry.name.endsWith(one));
      const stem = ending === undefined ? "" : basename(entry.name, ending);
      return stem === "" || stem.endsWith(".agent")
        ? []
        : [{ manifest: path, agent: agentIn(join(folder, `${stem}.agent`)) }];
    });
}

/** Where the program's file stands, or would. */
const agentIn = (stem: string) => endings.map((ending) => stem + ending).find(existsSync) ?? `${stem}.yaml`;

type Tell = (file: string, messages: readonly string[]) => void;

function readManifest(file: string, tell: Tell): AgentManifest | undefined {
  try {
    const manifest = decodeMessageJson(AgentManifestSchema, JSON.stringify(valueIn(file)), {
      unknownFields: "refuse",
    });
    checkMessage(AgentManifestSchema, manifest);
    return manifest;
  } catch (error) {
    tell(file, messagesOf(error));
    return undefined;
  }
}

function agentOf({ agent: file }: Found, standIn: AgentFile | undefined, tell: Tell): AgentFile | undefined {
  if (!existsSync(file)) {
    if (standIn === undefined)
      tell(file, ["is not there: it names the pack's program; --agent gives one to all packs without it"]);
    return standIn;
  }
  try {
    const read = readAgentFile(valueIn(file));
    if (read.success) return read.data;
    tell(file, agentFileFaults(read.error));
  } catch (error) {
    tell(file, messagesOf(error));
  }
  return undefined;
}

/** YAML reads JSON too. Aliases are bounded, or a small file could be a large one. */
function valueIn(file: string): unknown {
  if (statSync(file).size > LARGEST) throw new Error(`is larger than ${LARGEST / 1024 / 1024} MiB`);
  return parse(readFileSync(file, "utf8"), { maxAliasCount: 100 });
}

function messagesOf(error: unknown): string[] {
  if (error instanceof SignalboxError) {
    return error.violations.length === 0
      ? [error.detail]
      : error.violations.map(({ field, message }) => `${field} ${message}`.trim());
  }
  return [error instanceof Error ? (error.message.split("\n", 1)[0] ?? "").replace(/:$/, "") : String(error)];
}
