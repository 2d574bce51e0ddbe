export * as health from "../gen/grpc/health/v1/health_pb.ts";
export * as reflection from "../gen/grpc/reflection/v1/reflection_pb.ts";
export * as reflectionAlpha from "../gen/grpc/reflection/v1alpha/reflection_pb.ts";
