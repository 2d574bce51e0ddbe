import type { AgentTransport } from "@signalbox/contracts";
import type { AgentAdapter, Engine } from "@signalbox/engine";

/** How the scripted agent is reached in one run of the suite. */
export type Way = {
  readonly name: string;
  /** What the engine is opened with; nothing where the agent asks by itself. */
  readonly adapter: { readonly transport: AgentTransport; readonly adapter: AgentAdapter } | undefined;
  /** Starts the agent, with nothing but the engine's commands for what an agent calls over REST or gRPC. */
  start(engine: Engine, agent: AgentNames): Promise<StartedAgent>;
};

type AgentNames = { readonly packId: string; readonly instanceId: string };

type StartedAgent = {
  /** What its heartbeats say of it. */
  readonly address: string;
  /** The titles of the tasks that it was told to stop. */
  readonly stopped: ReadonlySet<string>;
  /** Heartbeats tell this one what to stop, where nothing else does. */
  readonly hear?: (cancelDispatchIds: readonly string[]) => void;
  stop(): Promise<void>;
};
