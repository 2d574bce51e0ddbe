import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromJson, toBinary, type DescMethod } from "@bufbuild/protobuf";
import { procedures } from "@signalbox/api";
import { ControlPlaneService } from "@signalbox/contracts";
import { health, reflection, reflectionAlpha } from "@signalbox/contracts/grpc";
import type { ReadOperation } from "../open-api.ts";

const folder = join(import.meta.dirname, "../../../../../packages/contracts/vectors");

export type Sample = { json: unknown; binary: Uint8Array };
export type Call = { path: string; name: string; samples: readonly Sample[] };
export type Corpus = ReturnType<typeof readCorpus>;

function vectorsOf(message: string): Sample[] {
  const files = readdirSync(join(folder, message)).filter((name) => name.endsWith(".json"));
  return files.map((name) => {
    const path = join(folder, message, name);
    return {
      json: JSON.parse(readFileSync(path, "utf8")),
      binary: readFileSync(path.replace(/json$/, "binpb")),
    };
  });
}

/** What is true to the contract, or is broken in one known place: all that is sent is made from this. */
export function readCorpus(operations: readonly ReadOperation[]) {
  const exampleOf = (id: string): unknown => {
    const content = operations.find(({ operationId }) => operationId === id)?.requestBody?.content;
    return Object.values(content ?? {})[0]?.example;
  };
  const attempt = { dispatchId: "live", attemptNumber: 1 };
  const requests: Record<string, unknown[]> = {
    RegisterPack: [{ manifest: exampleOf("registerPack") }],
    Heartbeat: [{ heartbeat: exampleOf("heartbeat") }],
    Lease: [exampleOf("lease")],
    ReportTurn: [{ attempt, turn: exampleOf("reportTurn") }],
    ReportEvents: [{ attempt, ...Object(exampleOf("reportEvents")) }],
    RequestHandoff: [{ attempt, ...Object(exampleOf("requestHandoff")) }],
    ReportResult: [{ ...attempt, result: exampleOf("reportResult") }],
    Check: [{ service: "" }, { service: "vasini.agent.v1.ControlPlaneService" }],
    Watch: [{ service: "" }],
    ServerReflectionInfo: [
      { host: "x", listServices: "" },
      { fileContainingSymbol: "vasini.agent.v1.ControlPlaneService" },
      { fileByFilename: "vasini/agent/v1/result.proto" },
      { allExtensionNumbersOfType: "google.protobuf.FieldOptions" },
      { fileContainingExtension: { containingType: "google.protobuf.FieldOptions", extensionNumber: 1159 } },
    ],
  };
  const vectors = new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => [name, vectorsOf(name)]),
  );
  const callOf = ({ name, input, parent }: DescMethod): Call => ({
    name,
    path: `/${parent.typeName}/${name}`,
    samples: [
      ...(vectors.get(input.name) ?? []),
      ...(requests[name] ?? []).map((sent) => {
        const text = JSON.stringify(sent);
        return {
          json: JSON.parse(text),
          binary: toBinary(input, fromJson(input, JSON.parse(text), { ignoreUnknownFields: true })),
        };
      }),
    ],
  });
  const bodies: Record<string, string> = {
    registerPack: "AgentManifest",
    heartbeat: "AgentHeartbeat",
    lease: "LeaseRequest",
    reportResult: "AgentResult",
    submitTask: "TaskSubmission",
  };
  const services = [health.Health, reflection.ServerReflection, reflectionAlpha.ServerReflection];
  return {
    operations,
    procedures: procedures.map(({ path, type }) => ({ path, type })),
    calls: ControlPlaneService.methods.map(callOf),
    openCalls: services.flatMap(({ methods }) => methods.map(callOf)),
    vectors: [...vectors.values()].flat(),
    /** Other bodies of an operation than its example. */
    bodiesOf: ({ operationId }: ReadOperation): readonly Sample[] =>
      vectors.get(bodies[operationId] ?? "") ?? [],
  };
}
