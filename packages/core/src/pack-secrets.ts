import { toJson } from "@bufbuild/protobuf";
import { type AgentManifest, AgentManifestSchema, type Violation } from "@signalbox/contracts";
import { compileRedactor, redact } from "./redaction/redactor.ts";

const redactor = compileRedactor();

/**
 * REG-10 (D21): a manifest never changes and is shown as it is, so that it cannot be masked. One that holds a secret is
 * refused, by the field that holds it; nothing of the secret is quoted.
 */
export function findPackSecrets(manifest: AgentManifest): Violation[] {
  const { marks } = redact(redactor, toJson(AgentManifestSchema, manifest), { root: "agent_manifest" });
  return marks.map(({ path, rule }) => ({
    field: path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    rule: "no_secret",
    message: `looks like a secret (${rule}); a manifest is kept and shown as it is`,
  }));
}
