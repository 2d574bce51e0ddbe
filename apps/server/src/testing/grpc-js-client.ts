import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { ErrorDetailSchema } from "@signalbox/contracts";

const contracts = join(import.meta.dirname, "../../../../packages/contracts");

type Called = { error: grpc.ServiceError | null; answer: object | undefined };
export type GrpcJsClient = {
  call: (method: string, request: object, metadata: grpc.Metadata) => Promise<Called>;
  close: () => void;
};

/** gRPC by @grpc/grpc-js, from the published proto files: nothing of our generated code. */
export function grpcJsClient(port: number): GrpcJsClient {
  const vendored = mkdtempSync(join(tmpdir(), "signalbox-proto-"));
  const script = pathToFileURL(join(contracts, "scripts/vendor-protovalidate.ts")).href;
  const code = `import { vendorProtovalidate } from ${JSON.stringify(script)}; vendorProtovalidate(process.argv[1]);`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", code, vendored]);
  const definitions = loadSync("vasini/agent/v1/control_plane_service.proto", {
    includeDirs: [join(contracts, "proto"), vendored],
    enums: String,
  });
  const service = definitions["vasini.agent.v1.ControlPlaneService"];
  if (service === undefined || "format" in service) throw new Error("the proto files hold no service");
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  return {
    call: (name, request, metadata) =>
      new Promise((resolve) => {
        const method: grpc.MethodDefinition<object, object> | undefined = service[name];
        if (method === undefined) throw new Error(`the service has no ${name}`);
        const { path, requestSerialize, responseDeserialize } = method;
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          (error, answer) => resolve({ error, answer }),
        );
      }),
    close: () => {
      client.close();
      rmSync(vendored, { recursive: true });
    },
  };
}

export function callMetadata(key: string): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${key}`);
  metadata.set("x-request-id", "grpc-js-call-1");
  return metadata;
}

/** What a refusal carries beside its status. */
export function refusalOf(error: grpc.ServiceError | null) {
  const [details] = error?.metadata.get("grpc-status-details-bin") ?? [];
  if (!Buffer.isBuffer(details)) throw new Error("the status has no details");
  return detailOf(details);
}

/** google.rpc.Status holds its details as Any in field 3; an Any holds its bytes in field 2. */
function detailOf(status: Buffer) {
  const any = lengthDelimited(status, 3);
  return fromBinary(ErrorDetailSchema, lengthDelimited(any, 2));
}

function lengthDelimited(bytes: Buffer, wanted: number): Buffer {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag % 8 === 0) {
      varint();
      continue;
    }
    const length = varint();
    if (Math.floor(tag / 8) === wanted) return bytes.subarray(at, at + length);
    at += length;
  }
  throw new Error(`there is no field ${wanted}`);
}
