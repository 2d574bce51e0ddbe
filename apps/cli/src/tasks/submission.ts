import { LineCounter, parseDocument } from "yaml";
import { CommandFailure, usageFailure } from "../failure.ts";

export type TaskFlags = {
  readonly template?: string | undefined;
  readonly taskType?: string | undefined;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly criterion?: readonly string[] | undefined;
  readonly risk?: string | undefined;
  readonly priority?: string | undefined;
  readonly timeout?: number | undefined;
};

const given = (flags: TaskFlags) => Object.values(flags).some((value) => value !== undefined);

/** The body of POST /v1/tasks from a file or from flags; which of its fields may be what, the server says. */
export function submissionFrom(
  file: { readonly name: string; readonly text: string } | undefined,
  flags: TaskFlags,
): string {
  if (file !== undefined && given(flags)) {
    throw usageFailure("A task is given by a file or by flags, not by both.");
  }
  return file === undefined ? JSON.stringify(fromFlags(flags)) : fromFile(file);
}

function fromFlags(flags: TaskFlags) {
  const { template, taskType, id, title, criterion = [], risk, priority, timeout } = flags;
  const missing = [
    ...(template === undefined && taskType === undefined ? ["--template or --task-type"] : []),
    ...(title === undefined ? ["--title"] : []),
    ...(criterion.length === 0 ? ["--criterion"] : []),
  ];
  if (missing.length > 0) {
    throw usageFailure(`A task needs ${missing.join(", ")}, or a file that says it.`);
  }
  if (template !== undefined && taskType !== undefined) {
    throw usageFailure("Give --template or --task-type: the template has the task types of its stages.");
  }
  const execution = {
    ...(risk === undefined ? {} : { riskTier: `RISK_TIER_${risk.toUpperCase()}` }),
    ...(priority === undefined ? {} : { priority: `PRIORITY_${priority.toUpperCase()}` }),
    ...(timeout === undefined ? {} : { timeout: `${timeout}s` }),
  };
  return {
    ...(template === undefined ? { taskType } : { templateId: template }),
    contract: { taskId: id ?? slugOf(title ?? ""), title, acceptanceCriteria: criterion },
    ...(Object.keys(execution).length === 0 ? {} : { execution }),
  };
}

const slugOf = (title: string) =>
  title
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase()
    .slice(0, 60) || "task";

/** JSON goes as it stands, so that the server's words fit what was written; YAML is turned into JSON. */
function fromFile({ name, text }: { name: string; text: string }): string {
  if (/^\s*\{/.test(text)) return text;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new CommandFailure(
      "failed",
      `${name}:${line}:${col}: ${error.message.split("\n", 1)[0]?.replace(/ at line.*/, "")}`,
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new CommandFailure("failed", `${name}: its aliases make it too large.`, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  throw new CommandFailure(
    "failed",
    `${name} is no task: a mapping with templateId or taskType and contract is.`,
  );
}
