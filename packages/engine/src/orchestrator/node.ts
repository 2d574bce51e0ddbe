import { type Database, joinNode, leaveNode, liveNodes, renewNode } from "@signalbox/db";
import type { Clock } from "../clock.ts";

/** This process among the nodes: its lease says that it is at work, and its epoch which of its lives it is. */
export type Node = {
  readonly id: string;
  epoch(): number;
  /** Whether other nodes are at work on this database, as far as is known. */
  readonly othersLive: () => boolean;
  /** Looks after the lease at once, because somebody was told that it is lost. */
  look(): Promise<void>;
  leave(): Promise<void>;
};

/** Six seconds of it are the margin of signalbox.assert_node: a shorter lease than eight, and no batch would commit. */
export const NODE_LEASE_MS = 15_000;
const RENEW_EVERY_MS = 2_000;

export type NodeOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly nodeId: string;
  readonly leaseMs: number;
  /** Whether this process looks for what is due. */
  readonly loops: boolean;
  /** Told each time the lease was looked after: whether any process at work looks for what is due. */
  readonly onLoops: (atWork: boolean) => void;
  /** The lease was lost and is held anew: what was remembered from before may be wrong by now. */
  readonly onRejoined: () => void;
  readonly onFailure: (error: unknown) => void;
};

export async function joinAsNode({
  database,
  clock,
  nodeId,
  leaseMs,
  loops,
  onLoops,
  onRejoined,
  onFailure,
}: NodeOptions): Promise<Node> {
  let epoch = await joinNode(database, nodeId, leaseMs, loops);
  let looking: Promise<void> | undefined;

  let others = await countOthers();

  async function countOthers(): Promise<number> {
    const found = (await liveNodes(database)).filter((node) => node.nodeId !== nodeId);
    onLoops(loops || found.some((node) => node.loops));
    return found.length;
  }

  async function renew(): Promise<void> {
    const held = await renewNode(database, nodeId, epoch, leaseMs);
    if (!held) {
      epoch = await joinNode(database, nodeId, leaseMs, loops);
      onRejoined();
    }
    others = await countOthers();
  }

  /** One at a time: a slow database must not be asked twice, nor joined twice. */
  function look(): Promise<void> {
    looking ??= renew()
      .catch(onFailure)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  const stop = clock.repeat(RENEW_EVERY_MS, () => void look());
  return {
    id: nodeId,
    epoch: () => epoch,
    othersLive: () => others > 0,
    look,
    async leave() {
      stop();
      await looking;
      await leaveNode(database, nodeId, epoch).catch(onFailure);
    },
  };
}
