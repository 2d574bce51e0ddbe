import type { AgentAdapter } from "@signalbox/engine";
import type { AgentHosts } from "../agent-hosts.ts";
import { urlRefusal } from "../agent-url.ts";
import type { CallSigner } from "../call-token.ts";
import { cancel } from "./cancel.ts";
import { type Channels, createChannels } from "./channels.ts";
import { run } from "./run.ts";

type GrpcOptions = { readonly hosts: AgentHosts; readonly signer: CallSigner };
export type GrpcCalls = GrpcOptions & { readonly channels: Channels };

/** The instance's own AgentService (A2A 3.2, step 5): RunAgent answers with the result, or at once. */
export function createGrpcAdapter(options: GrpcOptions): AgentAdapter {
  const calls = { ...options, channels: createChannels(options.hosts) };
  return {
    // Pings tell a channel that is dead, so one that is open is an agent at work.
    channelIsWork: true,
    refusal: (address) => urlRefusal(address, options.hosts),
    run: (to, envelope, signal) => run(calls, to, envelope, signal),
    cancel: (to, attempt) => cancel(calls, to, attempt),
    close: async () => calls.channels.close(),
  };
}
