import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareFolders } from "./compare-folders.ts";
import { buf, generate, GENERATED, PACKAGE } from "./generate.ts";

/** What has been published; see ADR 0004 for when it is renewed. */
export const BASELINE = join(PACKAGE, "baseline/contract.binpb");

/** Faults of the committed contract, or none. */
export function contractFaults(): string[] {
  return [...staleFiles(), ...bufFaults("lint"), ...formatFaults(), ...breakingChanges("proto")];
}

/** Generated files that differ from what the .proto files give now. */
export function staleFiles(committed: string = PACKAGE): string[] {
  const fresh = mkdtempSync(join(tmpdir(), "signalbox-contract-"));
  try {
    generate(fresh);
    return GENERATED.flatMap((folder) =>
      compareFolders(join(fresh, folder), join(committed, folder)).map(
        (difference) => `${folder}/${difference}: run pnpm --filter @signalbox/contracts generate`,
      ),
    );
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

/** What in `protoFolder` would break a reader or writer of the published contract. */
export function breakingChanges(protoFolder: string): string[] {
  return bufFaults("breaking", protoFolder, "--against", BASELINE);
}

function formatFaults(): string[] {
  return bufFaults("format", "proto", "--diff", "--exit-code").length === 0
    ? []
    : ["proto is not formatted: run buf format --write proto in packages/contracts"];
}

function bufFaults(...args: string[]): string[] {
  try {
    buf(...args);
    return [];
  } catch (error) {
    // buf lists its findings on standard output and exits with 100; anything else is a failure of its own.
    if (isFinding(error)) return error.stdout.trim().split("\n");
    throw error;
  }
}

function isFinding(error: unknown): error is { status: 100; stdout: string } {
  return error instanceof Error && "status" in error && error.status === 100 && "stdout" in error;
}

if (import.meta.main) {
  const faults = contractFaults();
  faults.forEach((fault) => console.error(fault));
  console.log(faults.length === 0 ? "the contract is as its .proto files say" : `${faults.length} fault(s)`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
