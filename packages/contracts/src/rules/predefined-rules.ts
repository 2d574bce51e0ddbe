import { createRegistry, type DescExtension, type DescFile, getOption } from "@bufbuild/protobuf";
import { predefined } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { file_vasini_agent_v1_rules } from "../gen/vasini/agent/v1/rules_pb.ts";

const MATCHES = /^this\.matches\('(?<pattern>[^'\\]*)'\)$/;

/** The contract's own rules. A validator that does not know them refuses to compile the messages that use them. */
export const ruleRegistry = createRegistry(file_vasini_agent_v1_rules);

/** Pattern of a predefined rule, by the rule's extension: what JSON Schema and the acceptor read from it. */
export const rulePatterns: ReadonlyMap<DescExtension, string> = patternsOf(file_vasini_agent_v1_rules);

function patternsOf(file: DescFile): Map<DescExtension, string> {
  return new Map(file.extensions.map((extension) => [extension, patternOf(extension)]));
}

function patternOf(extension: DescExtension): string {
  const [rule, ...others] = getOption(extension, predefined).cel;
  const pattern = others.length === 0 ? rule?.expression.match(MATCHES)?.groups?.["pattern"] : undefined;
  if (pattern === undefined) {
    throw new Error(`${extension.typeName} must be one expression of the form this.matches('pattern')`);
  }
  return pattern;
}
