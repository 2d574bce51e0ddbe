import { checkShape, SignalboxError, type Violation } from "@signalbox/contracts";
import { type Task, TaskSchema } from "@signalbox/contracts/sap";
import { findIdentifierFaults, identifierLimits } from "../identifier.ts";
import { namesAttachmentOnly } from "../attachments/attachment.ts";

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
    ...findIdentifierFaults("issuer.agentId", issuer.agentId),
    ...findIdentifierFaults("target.agentId", target.agentId ?? ""),
    ...findIdentifierFaults("target.capability", target.capability),
    ...findIdentifierFaults("constitutionalContext.territory", context.territory ?? ""),
    ...principles("constitutionalContext.principles", context.principles),
    ...principles("constitutionalContext.pressure", Object.keys(context.pressure ?? {})),
    ...listed("constitutionalContext.objectives", context.objectives, LONGEST_TEXT),
    ...listed("constitutionalContext.constraints", context.constraints, LONGEST_TEXT),
    ...listed("constitutionalContext.references", context.references, LONGEST_TEXT),
    ...attached(task.attachments),
    ...budgeted(task.telemetry?.budget),
  ];
  if (violations.length === 0) return task;
  throw new SignalboxError("VALIDATION_FAILED", "The task holds what is not allowed, or too much of it.", {
    violations,
  });
}

const listed = (field: string, texts: readonly string[] = [], longest: number): Violation[] => {
  if (texts.length > MOST_NAMES)
    return [{ field, rule: "max_items", message: `has ${texts.length} entries; ${MOST_NAMES} are allowed` }];
  const at = texts.findIndex((text) => text.length > longest);
  if (at === -1) return [];
  return [{ field: `${field}[${at}]`, rule: "max_len", message: `is longer than ${longest} characters` }];
};

/** SAP-15: a key is a name, that stands in messages and in what is counted. */
function principles(field: string, names: readonly string[] = []): Violation[] {
  if (names.length > MOST_NAMES) return listed(field, names, identifierLimits.usual);
  const at = names.indexOf("");
  if (at !== -1)
    return [{ field: `${field}[${at}]`, rule: "name.fit", message: "is empty; a principle has a name" }];
  return names.flatMap((name, index) => findIdentifierFaults(`${field}[${index}]`, name)).slice(0, 1);
}

const LONGEST_SECONDS = 365 * 24 * 60 * 60;

/** SAP-14: what an attempt may take, in the names that the specification has; other names are the sender's own. */
function budgeted(budget: Readonly<Record<string, unknown>> = {}): Violation[] {
  const { seconds, tokens } = budget;
  const violations: Violation[] = [];
  if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= LONGEST_SECONDS)) {
    const message = `expected a number of seconds above 0, at most ${LONGEST_SECONDS} (365 days)`;
    violations.push({ field: "telemetry.budget.seconds", rule: "budget", message });
  }
  if (tokens !== undefined && !(typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0)) {
    const message = "expected a whole number of tokens above 0";
    violations.push({ field: "telemetry.budget.tokens", rule: "budget", message });
  }
  return violations;
}

/** What bytes are fetched by: over the web, or from an object store. */
const fetched = /^(?:https?|s3|gs|az):\/\/[^\s/?#]/i;

/** SAP-11: who works on the task follows what is attached, so that nothing else may stand there. */
function attached(attachments: Task["attachments"] = []): Violation[] {
  if (attachments.length > MOST_NAMES) return listed("attachments", attachments.map(String), LONGEST_TEXT);
  return attachments.flatMap(({ uri }, index): Violation[] => {
    const field = `attachments[${index}].uri`;
    if (uri === undefined) return [{ field, rule: "required", message: `is missing; ${allowedUris}` }];
    if (uri.length > LONGEST_TEXT)
      return [{ field, rule: "max_len", message: `is longer than ${LONGEST_TEXT} characters` }];
    const fits = namesAttachmentOnly(uri) || (fetched.test(uri) && !unfit.test(uri) && URL.canParse(uri));
    return fits ? [] : [{ field, rule: "uri", message: `is none that can be fetched; ${allowedUris}` }];
  });
}

const allowedUris = "allowed are https://, http://, s3://, gs://, az:// and signalbox:attachment/<id>";
