import type { z } from "zod";
import { storableText } from "../parse/storable-text.ts";
import { ANSWER_LIMITS } from "./limits.ts";
import { RETRY_WITH_INSTRUCTION, type SacpResponse, SacpResponseSchema } from "./response.ts";

export type Settled =
  | { readonly kind: "answer"; readonly response: SacpResponse }
  | { readonly kind: "not-one"; readonly fault: string }
  /** It holds more than may be read. */
  | { readonly kind: "too-large"; readonly fault: string };

const notOne = (fault: string): Settled => ({ kind: "not-one", fault });

/** Whether a value is an answer of §2.1, as plain JSON that can be stored and sent on. */
export function settleAnswer(value: unknown): Settled {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return notOne("the output is no JSON object");
  }
  const plain = plainOf(value);
  if (typeof plain === "string") return { kind: "too-large", fault: plain };
  const read = SacpResponseSchema.safeParse(plainStatus(plain.value));
  return read.success ? { kind: "answer", response: read.data } : notOne(faultsOf(read.error, value));
}

/** What models vary without meaning anything by it: the case of the status, and an absent hint as null. And SACP-8. */
function plainStatus(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("status" in value)) return value;
  const { next_step_hint, ...answer }: Record<string, unknown> = { ...value };
  const status =
    typeof answer["status"] === "string" ? answer["status"].trim().toLowerCase() : answer["status"];
  if (status === RETRY_WITH_INSTRUCTION)
    return { ...answer, status: "failure", next_step_hint: RETRY_WITH_INSTRUCTION };
  return {
    ...answer,
    ...(next_step_hint === undefined || next_step_hint === null ? {} : { next_step_hint }),
    status,
  };
}

const statuses = SacpResponseSchema.shape.status.options.join(", ");
const allowed: Readonly<Record<string, string>> = {
  thought: "a text",
  status: `one of ${statuses}`,
  data: "an object",
  message: "a text",
  next_step_hint: "a text, or left out",
};

/** In words that a model can be told: it is given them with its next attempt. */
const faultsOf = ({ issues }: z.ZodError, value: object): string =>
  issues
    .map(({ path }) => {
      const member = String(path[0]);
      const is = kindOf(Reflect.get(value, member));
      return `"${member}" is ${is}; it must be ${allowed[member] ?? "left out"}`;
    })
    .join("; ");

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "another text";
  return typeof value === "number" ? "a number" : "true or false";
}

const tooMany = `the answer holds more than ${ANSWER_LIMITS.values} values`;

/** A copy of which every part can be stored, or what of the value cannot. Copied, since `__proto__` must stay no more than a name. */
function plainOf(root: unknown): { readonly value: unknown } | string {
  let values = 0;
  let fault = "";

  function plain(value: unknown, depth: number): unknown {
    values += 1;
    if (values > ANSWER_LIMITS.values) fault = tooMany;
    if (depth > ANSWER_LIMITS.depth) fault = `the answer is more than ${ANSWER_LIMITS.depth} levels deep`;
    if (fault !== "") return null;
    if (typeof value === "string") return storableText(value);
    if (typeof value === "number") {
      if (!Number.isFinite(value)) fault = "the answer holds a number that no double can be";
      return value;
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value) && value.length > ANSWER_LIMITS.values) fault = tooMany;
    if (fault !== "") return null;
    if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) =>
        key === "__proto__" ? [] : [[storableText(key), plain(inner, depth + 1)]],
      ),
    );
  }

  const value = plain(root, 1);
  return fault === "" ? { value } : fault;
}
