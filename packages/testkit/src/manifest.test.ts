import { AgentManifestSchema, checkMessage } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { buildManifest } from "./manifest.ts";

test("the built manifest is valid, and a change is taken over", () => {
  expect(() => checkMessage(AgentManifestSchema, buildManifest())).not.toThrow();
  expect(buildManifest({ packId: "welder" })).toMatchObject({ packId: "welder", packVersion: "1.0.0" });
});
