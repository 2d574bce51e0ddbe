/** In bytes, of a body over REST and tRPC and, once inflated, of a message over Connect and gRPC. */
export const bodyLimit = 1024 * 1024;
