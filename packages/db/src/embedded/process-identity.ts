import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const HAS_PROC = existsSync("/proc/self/stat");

/**
 * What tells a process from every other, before and after it, that had or will have its number: when it started, and
 * since which start of the machine. `undefined` where there is no such process, or only its exit code, which nobody has asked for yet.
 */
export function processIdentity(pid: number): string | undefined {
  if (!HAS_PROC) {
    return printed(pid, "lstart");
  }
  const [state, ...fields] = statFields(pid) ?? [];
  const started = state === "Z" ? undefined : fields[18];
  return started && `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${started}`;
}

export function parentOf(pid: number): number | undefined {
  const parent = HAS_PROC ? statFields(pid)?.[1] : printed(pid, "ppid");
  return parent === undefined ? undefined : Number(parent);
}

/** Empty where the process has ended, or where the system hides it from us. */
export function commandLine(pid: number): string {
  return (HAS_PROC ? readProc(pid, "cmdline")?.replaceAll("\0", " ") : printed(pid, "args")) ?? "";
}

/** The fields after the program's name, which may hold spaces and brackets itself. */
function statFields(pid: number): string[] | undefined {
  const stat = readProc(pid, "stat");
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

function printed(pid: number, column: string): string | undefined {
  try {
    return execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
