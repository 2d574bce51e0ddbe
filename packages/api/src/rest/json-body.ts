import { parseJson } from "@signalbox/contracts";
import type { z } from "zod";
import { readWith } from "../read-with.ts";

/** A body that is no message of the contract. */
export const jsonBody = <T>(schema: z.ZodType<T>, body: Uint8Array | undefined): T =>
  readWith(schema, parseJson(body ?? ""));

/** The same where all of it may be left out, and so may the body. */
export const optionalJsonBody = <T>(schema: z.ZodType<T>, body: Uint8Array | undefined): T =>
  body === undefined || body === null || body.length === 0 ? readWith(schema, {}) : jsonBody(schema, body);
