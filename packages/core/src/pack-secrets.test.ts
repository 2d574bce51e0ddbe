import { create } from "@bufbuild/protobuf";
import { AgentManifestSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { findPackSecrets } from "./pack-secrets.ts";

const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

test("REG-10 D21: a secret in a manifest is found by its field, and not quoted", () => {
  const found = findPackSecrets(
    create(AgentManifestSchema, { packId: "painter", packVersion: "1.0.0", providedTools: ["git", token] }),
  );
  expect(found).toMatchObject([{ field: "provided_tools[1]", rule: "no_secret" }]);
  expect(JSON.stringify(found)).not.toContain(token);
});

test("REG-10: what is no secret passes", () => {
  const manifest = create(AgentManifestSchema, {
    packId: "token-painter",
    packVersion: "1.0.0",
    providedTools: ["git", "secret-scanner"],
    ownerDomains: ["password-reset"],
  });
  expect(findPackSecrets(manifest)).toEqual([]);
});
