import { parsePipelineTemplates, parseRoutingPolicy } from "@signalbox/core";
import { expect, test } from "vitest";
import { pipelineTemplates, routingPolicy } from "./documents.ts";
import { sapPolicy } from "./sap.ts";

test("every document that a bench publishes is one that is taken: no scenario ends before it measured", () => {
  const read = [
    parseRoutingPolicy(routingPolicy),
    parseRoutingPolicy(sapPolicy),
    parsePipelineTemplates(pipelineTemplates),
  ];
  expect(read.map(({ kind }) => kind)).toEqual(["valid", "valid", "valid"]);
});
