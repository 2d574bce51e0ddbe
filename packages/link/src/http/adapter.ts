import type { AgentAdapter } from "@signalbox/engine";
import type { AgentHosts } from "../agent-hosts.ts";
import { urlRefusal } from "../agent-url.ts";
import type { CallSigner } from "../call-token.ts";
import { cancel } from "./cancel.ts";
import { run } from "./run.ts";

export type HttpOptions = {
  readonly hosts: AgentHosts;
  readonly signer: CallSigner;
  /** An answer is waited for so long: less than a dispatch's lease, which nothing renews meanwhile. */
  readonly answerWithinMs?: number;
};

/** Push over HTTP: the envelope as JSON to the instance's address, answered with 202 or with the result. */
export function createHttpAdapter(options: HttpOptions): AgentAdapter {
  return {
    // A connection that hangs looks like one that lives: what takes long is taken with 202, and renewed by the agent.
    channelIsWork: false,
    refusal: (address) => urlRefusal(address, options.hosts),
    run: (to, envelope, signal) => run(options, to, envelope, signal),
    cancel: (to, attempt) => cancel(options, to, attempt),
    close: async () => undefined,
  };
}
