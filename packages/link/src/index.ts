export { type AgentHosts, agentHosts, readAgentHost } from "./agent-hosts.ts";
export { type CallSigner, createCallSigner } from "./call-token.ts";
export { createGrpcAdapter } from "./grpc/adapter.ts";
export { createHttpAdapter } from "./http/adapter.ts";
export { type AgentProgram, createProcessAdapter, type ProcessOptions } from "./process/adapter.ts";
export { createRedisStreamsAdapter } from "./redis-streams/adapter.ts";
export { openSapStreams, type SapStreams, type SapStreamsOptions } from "./sap-streams/open.ts";
export type { SapStream } from "./sap-streams/names.ts";
export { type PublicJwk, SEED_BYTES, type SigningKey, signingKeyOf } from "./signing-key.ts";
