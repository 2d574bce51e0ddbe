import type { DescMessage } from "@bufbuild/protobuf";
import { SignalboxError } from "@signalbox/contracts";

/** What a caller sent as JSON, and the message that it was read as. */
export type SentJson = { schema: DescMessage; body: Uint8Array | string };

const steps = /(?:^|\.)([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/**
 * Rules name fields as the contract does (`pack_id`). Whoever writes JSON sees `packId` in front of them, or the other,
 * which the mapping takes too: a violation names what they wrote, and what is missing by its JSON name.
 */
export function inSendersWords(error: SignalboxError, sent: SentJson): SignalboxError {
  if (error.violations.length === 0) return error;
  const json = parsed(sent.body);
  if (json === undefined) return error;
  const violations = error.violations.map(({ field, rule, message }) => ({
    field: fieldInJson(field, sent.schema, json),
    rule,
    message: `${message}${choiceOf(field, sent.schema)}`,
  }));
  return new SignalboxError(error.code, error.detail, { violations, cause: error.cause });
}

/** Undefined where the body is not JSON: the names in what is said about it are the sender's own. */
function parsed(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function fieldInJson(path: string, schema: DescMessage, json: unknown): string {
  let at: DescMessage | undefined = schema;
  let value = json;
  let keyFollows = false;
  return path.replaceAll(steps, (step: string, name?: string, position?: string, quoted?: string) => {
    const key = name ?? position ?? quotedKey(quoted);
    if (name === undefined || keyFollows) {
      keyFollows = false;
      value = memberOf(value, key);
      return step;
    }
    const field = at?.fields.find((one) => one.name === name || one.jsonName === name);
    if (field === undefined) {
      at = undefined;
      return step;
    }
    const spelled = isMember(value, field.name) ? field.name : field.jsonName;
    value = memberOf(value, spelled);
    keyFollows = field.fieldKind === "map";
    // The members of a Struct are the sender's own.
    at = field.message?.typeName.startsWith("google.protobuf.") === true ? undefined : field.message;
    return `${step.startsWith(".") ? "." : ""}${spelled}`;
  });
}

/** JSON does not have a oneof's name: what is wanted is one of its fields. */
function choiceOf(path: string, schema: DescMessage): string {
  const names = path.split(".");
  let at: DescMessage | undefined = schema;
  for (const name of names.slice(0, -1)) {
    at = at?.fields.find((one) => one.name === name || one.jsonName === name)?.message;
  }
  const oneof = at?.oneofs.find(({ name }) => name === names.at(-1));
  return oneof === undefined ? "" : `: ${oneof.fields.map(({ jsonName }) => jsonName).join(", ")}`;
}

const quotedKey = (quoted: string | undefined): string => (quoted === undefined ? "" : quoted.slice(1, -1));

const isMember = (value: unknown, name: string): value is object =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name);

const memberOf = (value: unknown, name: string): unknown =>
  isMember(value, name) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
