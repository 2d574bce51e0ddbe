import { spawnSync } from "node:child_process";

export const python = "/usr/bin/python3";
const succeeds = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;

/** On Debian: apt install protobuf-compiler libprotobuf-dev python3-protobuf python3-grpcio. */
export const isPythonGrpcHere =
  succeeds(python, "-c", "import grpc, google.protobuf") &&
  succeeds("protoc", "--descriptor_set_out=/dev/null", "google/protobuf/descriptor.proto");
