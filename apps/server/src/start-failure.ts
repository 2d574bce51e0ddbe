/** A start that cannot go on, for a reason that the operator can mend: shown as it is, without a stack. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

const portMessages: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) =>
    `Port ${port} is taken by another process. Stop that one, or choose another port: PORT=${port + 1} npm start`,
  EACCES: (port) =>
    `Port ${port} needs privileges that this process does not have. Choose one above 1023 with PORT.`,
  EADDRNOTAVAIL: (_, host) =>
    `HOST=${host} is not an address of this machine. 127.0.0.1 and 0.0.0.0 always are.`,
  ENOTFOUND: (_, host) =>
    `HOST=${host} cannot be resolved. Give an address of this machine, such as 127.0.0.1.`,
};

export function explainListenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const explain = portMessages[code];
  return explain === undefined ? error : new StartFailure(explain(port, host), { cause: error });
}
