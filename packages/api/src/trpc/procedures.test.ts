import { SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { inOurWords } from "./procedures.ts";

const schema = z.strictObject({ limit: z.number().int().max(100), status: z.enum(["RUNNING", "PAUSED"]) });

test("a fault of an input is told in the words of every other transport, by its field and what is allowed", async () => {
  const refused: unknown = await inOurWords(schema)
    .parseAsync({ limit: 101, status: "GONE", more: 1 })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SignalboxError);
  expect(refused).toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [
      { field: "limit", message: "must be at most 100" },
      { field: "status", message: 'must be one of "RUNNING", "PAUSED"' },
      { field: "more", message: "there is no such field here" },
    ],
  });
  await expect(inOurWords(schema).parseAsync({ limit: "7" })).rejects.toMatchObject({
    violations: [{ message: "is a text; it must be a number" }, { field: "status" }],
  });
});

test("what is right is read as the schema reads it", async () => {
  const trimmed = z.strictObject({ q: z.string().transform((text) => text.trim()) });
  expect(await inOurWords(trimmed).parseAsync({ q: " x " })).toEqual({ q: "x" });
});
