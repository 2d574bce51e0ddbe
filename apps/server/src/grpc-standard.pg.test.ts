import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const protos = join(import.meta.dirname, "../../../packages/contracts/standard-proto");
const controlPlane = "vasini.agent.v1.ControlPlaneService";

let server: TestServer;
let client: grpc.Client;
beforeAll(async () => {
  server = await startTestServer();
  client = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

/** The methods of a service as @grpc/grpc-js has them from the published files: nothing of our generated code. */
function methodsOf(file: string, name: string) {
  const service = loadSync(file, { includeDirs: [protos], enums: String, oneofs: true })[name];
  if (service === undefined || "format" in service) throw new Error(`there is no ${name}`);
  return (method: string): grpc.MethodDefinition<object, object> => {
    const found: grpc.MethodDefinition<object, object> | undefined = service[method];
    if (found === undefined) throw new Error(`${name} has no ${method}`);
    return found;
  };
}

describe("grpc.health.v1, by @grpc/grpc-js and without a credential", () => {
  const health = methodsOf("grpc/health/v1/health.proto", "grpc.health.v1.Health");
  const check = (service: string) =>
    new Promise<{ code: number; answer: unknown }>((resolve) => {
      const { path, requestSerialize, responseDeserialize } = health("Check");
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, answer) =>
        resolve({ code: error?.code ?? 0, answer }),
      );
    });

  test.each(["", controlPlane])("Check says that %j serves", async (service) => {
    expect(await check(service)).toEqual({ code: 0, answer: { status: "SERVING" } });
  });

  test("Check knows no other service", async () => {
    expect(await check("vasini.agent.v1.Nothing")).toMatchObject({ code: grpc.status.NOT_FOUND });
  });

  test("Watch tells what is, and when the process begins to stop; then it lets go", async () => {
    const own = await startTestServer();
    const watcher = new grpc.Client(`127.0.0.1:${own.port}`, grpc.credentials.createInsecure());
    const { path, requestSerialize, responseDeserialize } = health("Watch");
    const seen: unknown[] = [];
    const call = watcher.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {
      service: "",
    });
    const ended = new Promise<void>((resolve) => {
      call.on("data", (answer: object) => seen.push(z.object({ status: z.string() }).parse(answer).status));
      call.on("error", () => resolve());
      call.on("end", () => resolve());
    });
    while (seen.length === 0) await pause(20);
    await Promise.all([own.stop(), ended]);
    expect(seen).toEqual(["SERVING", "NOT_SERVING"]);
    watcher.close();
    await own.dispose();
  });
});

describe.each(["v1", "v1alpha"])(
  "grpc.reflection.%s, by @grpc/grpc-js and without the .proto files",
  (version) => {
    const method = methodsOf(
      `grpc/reflection/${version}/reflection.proto`,
      `grpc.reflection.${version}.ServerReflection`,
    )("ServerReflectionInfo");
    const ask = (request: object) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const call = client.makeBidiStreamRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
        );
        call.on("data", (answer: object) => {
          resolve(z.record(z.string(), z.unknown()).parse(answer));
          call.end();
        });
        call.on("error", reject);
        call.write(request);
      });

    test("lists the services", async () => {
      const answer = await ask({ listServices: "*" });
      const { service } = z
        .object({ service: z.array(z.object({ name: z.string() })) })
        .parse(answer["listServicesResponse"]);
      expect(service.map(({ name }) => name)).toEqual([
        controlPlane,
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
      ]);
    });

    test.each([
      ["fileContainingSymbol", controlPlane],
      ["fileContainingSymbol", `${controlPlane}.RegisterPack`],
      ["fileContainingSymbol", "vasini.agent.v1.AgentManifest"],
      ["fileByFilename", "vasini/agent/v1/manifest.proto"],
    ])("gives the file of %s %s, with all that it imports", async (what, name) => {
      const answer = await ask({ [what]: name });
      const { fileDescriptorProto } = z
        .object({ fileDescriptorProto: z.array(z.instanceof(Uint8Array)) })
        .parse(answer["fileDescriptorResponse"]);
      const files = fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
      const names = new Set(files.map((file) => file.name));
      expect(files.flatMap(({ dependency }) => dependency).filter((one) => !names.has(one))).toEqual([]);
      expect(files[0]?.name).toMatch(/^vasini\/agent\/v1\//);
    });

    test("says what it does not know", async () => {
      const answer = await ask({ fileContainingSymbol: "a.b.C" });
      expect(answer["errorResponse"]).toMatchObject({ errorCode: grpc.status.NOT_FOUND });
    });
  },
);
