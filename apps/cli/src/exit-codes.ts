/** How a command ended, for scripts: docs/cli.md has the same table. */
export const exitCodes = {
  done: 0,
  /** Refused by the server, or what was asked about failed, has faults, or differs where that was asked. */
  failed: 1,
  /** The command line itself cannot be used. */
  usage: 2,
  /** Nothing answers, or it cannot answer now. */
  unreachable: 3,
  /** The key is missing or unknown, or may not do this. */
  notAllowed: 4,
  /** A person has to answer before it goes on. */
  waiting: 5,
  /** Ctrl-C, as shells say it: 128 and SIGINT's number. */
  interrupted: 130,
} as const;

export type Ending = keyof typeof exitCodes;
