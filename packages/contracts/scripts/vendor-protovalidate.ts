import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { printProto2 } from "./print-proto.ts";

/**
 * Writes buf/validate/validate.proto below `folder`. No npm package ships the file, and a module registry is
 * out of reach offline; printed from the runtime's own descriptor it cannot differ from what the runtime obeys.
 */
export function vendorProtovalidate(folder: string): void {
  const target = join(folder, "buf/validate/validate.proto");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, printProto2(file_buf_validate_validate.proto));
}
