import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { SignalboxError } from "../errors/signalbox-error.ts";

const validator = createValidator();

/** Every rule of the contract, by protovalidate. Throws VALIDATION_FAILED with all violations. */
export function checkMessage<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): void {
  const result = validator.validate(schema, message);
  if (result.kind === "valid") return;
  if (result.kind === "error") throw result.error;
  throw new SignalboxError(
    "VALIDATION_FAILED",
    `The ${schema.name} breaks ${result.violations.length} rule(s)`,
    {
      violations: result.violations.map(({ field, ruleId, message: text }) => ({
        field: pathToString(field),
        rule: ruleId,
        message: text,
      })),
    },
  );
}
