import type { JsonObject } from "@bufbuild/protobuf";
import { z } from "zod";

/**
 * A span as it is stored with the row it belongs to, as JSON. What the row or the pipeline knows anyway (the correlation
 * fields, the ids) is not in it: `traceTree` adds it.
 */
export type StoredSpan = {
  readonly name: string;
  readonly at: number;
  /** How long it took; absent when it took no time that could be measured. */
  readonly ms?: number;
  readonly failed?: true;
  readonly attributes?: JsonObject;
  readonly children?: readonly StoredSpan[];
};

const storedSpan = z.object({
  name: z.string().min(1),
  at: z.number(),
  ms: z.number().nonnegative().exactOptional(),
  failed: z.literal(true).exactOptional(),
  attributes: z.record(z.string(), z.json()).exactOptional(),
  get children() {
    return z.array(storedSpan).exactOptional();
  },
});
const storedSpans = z.array(storedSpan);

/** TRACE-8: what does not have the shape of spans is refused, with its place. */
export function readSpans(json: unknown, where: string): readonly StoredSpan[] {
  const read = storedSpans.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new TypeError(
    `${[where, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "is no list of spans"}`,
  );
}

type Facts = {
  readonly ms?: number;
  readonly failed?: boolean;
  readonly attributes?: JsonObject;
  readonly children?: readonly StoredSpan[];
};

/** Leaves out what says nothing, since a span is written for every attempt and read for few. */
export function span(
  name: string,
  at: number,
  { ms = 0, failed = false, attributes, children }: Facts = {},
): StoredSpan {
  return {
    name,
    at,
    ...(ms > 0 && { ms }),
    ...(failed && { failed }),
    ...(attributes !== undefined && { attributes }),
    ...(children !== undefined && { children }),
  };
}
