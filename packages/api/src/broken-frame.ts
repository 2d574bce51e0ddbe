/** RFC 6455 was broken by whoever sent the frame: the ws library closes the connection, and nothing here has failed. */
export const isBrokenFrame = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  "code" in thrown &&
  typeof thrown.code === "string" &&
  thrown.code.startsWith("WS_ERR_");
