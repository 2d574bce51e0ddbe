import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { breakingChanges, contractFaults, staleFiles } from "../scripts/check.ts";
import { buf, GENERATED, PACKAGE } from "../scripts/generate.ts";
import { vendorProtovalidate } from "../scripts/vendor-protovalidate.ts";

const TIMEOUT = 60_000;

// buf resolves the vendored import only for a copy below the package; the folder is git-ignored.
let copy: string;
beforeAll(() => {
  vendorProtovalidate(join(PACKAGE, ".vendor/proto"));
  copy = mkdtempSync(join(PACKAGE, ".vendor/check-"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe("the contract's check", () => {
  test("finds nothing against the committed contract", () => expect(contractFaults()).toEqual([]), TIMEOUT);

  test.each([
    ["a field is renumbered", "string owner_domain = 3;", "string owner_domain = 16;"],
    ["a field changes its type", "bool breaking_change = 4;", "string breaking_change = 4;"],
    ["a reservation is lifted", "reserved 11 to 15;", "reserved 12 to 15;"],
    ["a field is renamed", "string owner_domain = 3;", "string domain = 3;"],
  ])("fails when %s", (_what, before, after) => {
    const proto = join(copy, "proto");
    cpSync(join(PACKAGE, "proto"), proto, { recursive: true });
    cpSync(join(PACKAGE, ".vendor/proto"), proto, { recursive: true });
    const file = join(proto, "vasini/agent/v1/contract.proto");
    const text = readFileSync(file, "utf8");
    expect(text).toContain(before);
    expect(breakingChanges(proto)).toEqual([]);
    writeFileSync(file, text.replace(before, after));
    expect(breakingChanges(proto).join("\n")).toContain("contract.proto");
  });

  test(
    "fails when a generated file is stale, missing or left over, and names it",
    () => {
      for (const folder of GENERATED) cpSync(join(PACKAGE, folder), join(copy, folder), { recursive: true });
      const stale = join(copy, "src/gen/vasini/agent/v1/contract_pb.ts");
      writeFileSync(stale, `${readFileSync(stale, "utf8")}\n`);
      rmSync(join(copy, "vectors/Pipeline/full.binpb"));
      writeFileSync(join(copy, "json-schema/Forgotten.json"), "{}");
      const advice = "run pnpm --filter @signalbox/contracts generate";
      expect(staleFiles(copy)).toEqual([
        `src/gen/vasini/agent/v1/contract_pb.ts is stale: ${advice}`,
        `json-schema/Forgotten.json is left over: ${advice}`,
        `vectors/Pipeline/full.binpb is missing: ${advice}`,
      ]);
    },
    TIMEOUT,
  );

  test("validate.proto as it is printed compiles to the descriptor that the runtime obeys", () => {
    const image = join(copy, "validate.binpb");
    buf("build", ".vendor/proto", "--exclude-source-info", "--output", image);
    const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(image));
    const printed = file.find(({ name }) => name === "buf/validate/validate.proto");
    const shape = (proto: typeof printed): unknown => [
      proto?.messageType.map(({ name, field, extensionRange }) => [
        name,
        field.map((f) => [f.name, f.number, f.type, f.typeName, f.label, f.defaultValue, f.oneofIndex]),
        extensionRange.map(({ start, end }) => [start, end]),
      ]),
      proto?.enumType.map(({ name, value }) => [name, value.map((v) => [v.name, v.number])]),
      proto?.extension.map(({ name, number, extendee, typeName }) => [name, number, extendee, typeName]),
    ];
    expect(shape(printed)).toEqual(shape(file_buf_validate_validate.proto));
  });
});
