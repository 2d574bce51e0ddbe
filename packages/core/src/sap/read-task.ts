import { checkShape, SignalboxError, type Violation } from "@signalbox/contracts";
import { type Task, TaskSchema } from "@signalbox/contracts/sap";

const LONGEST_NAME = 200;
const MOST_NAMES = 200;
const LONGEST_TEXT = 4_000;

/** What names something goes into columns, keys and messages. */
// oxlint-disable-next-line no-control-regex -- these are what it must not hold
const unfit = /[\u0000-\u001f\u007f]/;

/** SAP V2.0 §5: a task as its schema says, and bounded: any value in, a Task or every violation out. */
export function readSapTask(value: unknown): Task {
  const task = checkShape(TaskSchema, value);
  const { issuer, target, constitutionalContext: context } = task;
  const violations = [
    ...named("issuer.agentId", issuer.agentId),
    ...named("target.agentId", target.agentId),
    ...named("target.capability", target.capability),
    ...named("constitutionalContext.territory", context.territory),
    ...listed("constitutionalContext.principles", context.principles, LONGEST_NAME),
    ...listed("constitutionalContext.pressure", Object.keys(context.pressure ?? {}), LONGEST_NAME),
    ...listed("constitutionalContext.objectives", context.objectives, LONGEST_TEXT),
    ...listed("constitutionalContext.constraints", context.constraints, LONGEST_TEXT),
    ...listed("constitutionalContext.references", context.references, LONGEST_TEXT),
  ];
  if (violations.length === 0) return task;
  throw new SignalboxError("VALIDATION_FAILED", "The task is over a limit.", { violations });
}

const named = (field: string, text: string | undefined): Violation[] => {
  if (text === undefined) return [];
  if (text.length > LONGEST_NAME)
    return [
      { field, rule: "max_len", message: `has ${text.length} characters; ${LONGEST_NAME} are allowed` },
    ];
  if (!unfit.test(text)) return [];
  return [{ field, rule: "format", message: "holds control characters; a name has none" }];
};

const listed = (field: string, texts: readonly string[] = [], longest: number): Violation[] => {
  if (texts.length > MOST_NAMES)
    return [{ field, rule: "max_items", message: `has ${texts.length} entries; ${MOST_NAMES} are allowed` }];
  const at = texts.findIndex((text) => text.length > longest);
  if (at === -1) return [];
  return [{ field: `${field}[${at}]`, rule: "max_len", message: `is longer than ${longest} characters` }];
};
