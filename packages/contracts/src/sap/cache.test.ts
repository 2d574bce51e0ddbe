import { describe } from "vitest";
import { testEachField } from "../../test/field-table.ts";
import { CachePolicySchema, CacheRecordSchema } from "./cache.ts";

describe("CachePolicySchema", () => {
  testEachField(
    CachePolicySchema,
    { mode: "only", maxAgeSec: 0, mustAlign: false },
    {
      "mode?": ["always", "PREFER", "", null],
      "maxAgeSec?": [-1, 0.5, "60", Number.NaN, Infinity, null],
      "mustAlign?": ["true", 0, null],
    },
  );
});

describe("CacheRecordSchema", () => {
  const name = ["", 1, null];

  testEachField(
    CacheRecordSchema,
    {
      cacheKey: "sha256:1f",
      sapVersion: "2.0",
      storedAt: "2025-09-28T10:29:12Z",
      ageSec: 12,
      producer: "A-ml-001",
      alignment: "VALID",
      output: { any: "thing" },
      citations: ["ubos://sap/v1"],
      fingerprint: "f-1",
    },
    {
      cacheKey: name,
      sapVersion: name,
      storedAt: ["2025-09-28T10:29:12.5Z", "2025-02-30T10:29:12Z", "now", null],
      ageSec: [-1, 0.5, "12", null],
      producer: name,
      alignment: ["valid", "", null],
      output: [],
      citations: [null, "text", [1]],
      fingerprint: name,
    },
  );
});
