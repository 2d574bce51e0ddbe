import { createRegistry, type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { ERROR_CODES } from "@signalbox/contracts";
import type { reflection, reflectionAlpha } from "@signalbox/contracts/grpc";

type Request = (
  | reflection.ServerReflectionRequest
  | reflectionAlpha.ServerReflectionRequest
)["messageRequest"];

type Answer =
  | { case: "fileDescriptorResponse"; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: "allExtensionNumbersResponse"; value: { baseTypeName: string; extensionNumber: number[] } }
  | { case: "listServicesResponse"; value: { service: { name: string }[] } }
  | { case: "errorResponse"; value: { errorCode: number; errorMessage: string } };

/** The two versions differ in their name only. */
type Reflection = {
  v1: ServiceImpl<typeof reflection.ServerReflection>;
  v1alpha: ServiceImpl<typeof reflectionAlpha.ServerReflection>;
};

/** What a client without the .proto files asks: which services are here, and in which files they stand. */
export function reflectionService(services: readonly DescService[]): Reflection {
  const files = new Map<string, DescFile>();
  const collect = (file: DescFile): void => {
    if (files.has(file.proto.name)) return;
    files.set(file.proto.name, file);
    file.dependencies.forEach(collect);
  };
  for (const { file } of services) collect(file);
  const types = createRegistry(...files.values());
  const names = services.map(({ typeName }) => ({ name: typeName }));

  function fileOf(symbol: string): DescFile | undefined {
    const within = symbol.slice(0, Math.max(0, symbol.lastIndexOf(".")));
    return (types.get(symbol) ?? types.get(within))?.file;
  }

  function answerTo({ case: asked, value }: Request): Answer {
    switch (asked) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: names } };
      case "fileByFilename":
        return described(files.get(value), value);
      case "fileContainingSymbol":
        return described(fileOf(value), value);
      case "allExtensionNumbersOfType":
        return {
          case: "allExtensionNumbersResponse",
          value: { baseTypeName: value, extensionNumber: [] },
        };
      case "fileContainingExtension":
        return unknown(`extension ${value.extensionNumber} of ${value.containingType}`);
      case undefined:
        return unknown("an empty request");
    }
  }

  return {
    v1: {
      async *serverReflectionInfo(requests) {
        for await (const asked of requests) {
          const messageResponse = answerTo(asked.messageRequest);
          yield { validHost: asked.host, originalRequest: asked, messageResponse };
        }
      },
    },
    v1alpha: {
      async *serverReflectionInfo(requests) {
        for await (const asked of requests) {
          const messageResponse = answerTo(asked.messageRequest);
          yield { validHost: asked.host, originalRequest: asked, messageResponse };
        }
      },
    },
  };
}

/** With what it imports, so that one question is enough. */
function described(file: DescFile | undefined, asked: string): Answer {
  if (file === undefined) return unknown(asked);
  const all = new Set<DescFile>();
  const add = (one: DescFile): void => {
    if (all.has(one)) return;
    all.add(one);
    one.dependencies.forEach(add);
  };
  add(file);
  const fileDescriptorProto = Array.from(all, ({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

const unknown = (asked: string): Answer => ({
  case: "errorResponse",
  value: {
    errorCode: ERROR_CODES.NOT_FOUND.grpcStatus,
    errorMessage: `There is no ${asked.slice(0, 200)} here.`,
  },
});
