/** `node packages/contracts/scripts/write-proto.ts FOLDER`: the contract as any protobuf compiler reads it. */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { PACKAGE } from "./generate.ts";
import { vendorProtovalidate } from "./vendor-protovalidate.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node packages/contracts/scripts/write-proto.ts FOLDER\n");
  process.exit(2);
}
cpSync(join(PACKAGE, "proto"), resolve(folder), { recursive: true });
vendorProtovalidate(resolve(folder));
