import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import { type FieldPath, formatFieldPath } from "../errors/field-path.ts";
import { SignalboxError, type Violation } from "../errors/signalbox-error.ts";
import { findViolations } from "../rules/find-violations.ts";
import { validationFailed } from "./decode-message.ts";
import { findMessageFaults } from "./find-message-faults.ts";

/**
 * Every rule of the contract, by protovalidate, and the form of the message, for those that a gRPC library decoded.
 * Throws VALIDATION_FAILED with all violations.
 */
export function checkMessage<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): void {
  const faults = findMessageFaults(schema, message);
  const broken = brokenRules(schema, message);
  if (faults.length + broken.length === 0) return;
  const violations = new Map<string, Violation>();
  const add = (violation: Violation): void => {
    const key = `${violation.rule} ${violation.field}`;
    if (!violations.has(key)) violations.set(key, violation);
  };
  faults.forEach(add);
  for (const { field, ruleId, message: text } of broken) {
    add({ field: formatFieldPath(toFieldPath(field)), rule: ruleId, message: inOurWords(text) });
  }
  throw validationFailed(schema, [...violations.values()]);
}

const things: Readonly<Record<string, string>> = { characters: "character", "item(s)": "item" };

/** As `sayIssue` has it: protovalidate's own words count "1 characters" and "1 item(s)". */
const inOurWords = (message: string): string =>
  message.replace(
    /^must (?:be|contain) (at (?:least|most)|no more than) (\d+) (characters|item\(s\))$/,
    (_, bound: string, limit: string, counted: string) =>
      `must have ${bound.replace("no more than", "at most")} ${limit} ${things[counted]}${limit === "1" ? "" : "s"}`,
  );

function brokenRules<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>) {
  try {
    return findViolations(schema, message);
  } catch (cause) {
    throw new SignalboxError("INTERNAL", `A rule of ${schema.typeName} could not be applied`, { cause });
  }
}

function toFieldPath(path: Path): FieldPath {
  return path.map((step) => {
    if (step.kind === "list_sub") return step.index;
    return step.kind === "map_sub" ? String(step.key) : step.name;
  });
}
