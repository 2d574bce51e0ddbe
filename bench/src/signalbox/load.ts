import { setTimeout as pause } from "node:timers/promises";
import type { TaskEnvelope } from "@signalbox/contracts";
import { type Agents, type Crew, startAgents } from "./agents.ts";
import { LAST_STAGE } from "./documents.ts";
import type { Commands } from "./commands.ts";
import { submission } from "./messages.ts";

export type Load = {
  readonly commands: Commands;
  readonly tenants: readonly string[];
  /** Pipelines under way at any moment. */
  readonly inFlight: number;
  readonly crew: Crew;
  /** Another one is submitted as long as this holds. */
  readonly goOn: () => boolean;
  readonly dispatched?: () => void;
  readonly finished?: (tenantId: string, pipelineId: string) => void;
};

const IDLE_MS = 500;

/**
 * For each pipeline that ends here another one is submitted, wherever the ended one began: so the number under way
 * stays, also when several processes work on the same tenants. Resolves when all has been worked off.
 */
export async function keepPipelinesUnderWay(load: Load): Promise<void> {
  const { commands, tenants, inFlight, goOn } = load;
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {});
  let submitted = 0;
  let lastWork = performance.now();

  async function submit(): Promise<void> {
    const tenantId = tenants[submitted % tenants.length] ?? "";
    submitted += 1;
    await commands.submitTask(tenantId, submission(`task-${submitted}`));
  }
  function reported(envelope: TaskEnvelope): void {
    lastWork = performance.now();
    load.dispatched?.();
    if (stageOf(envelope) !== LAST_STAGE) return;
    load.finished?.(envelope.trace?.tenantId ?? "", pipelineOf(envelope));
    if (goOn()) submit().catch(refuse);
  }

  const agents = await startAgents(commands, tenants, load.crew, { reported });
  try {
    await orFailure(agents, refused, Promise.all(Array.from({ length: inFlight }, submit)));
    while (goOn() || performance.now() - lastWork < IDLE_MS) await orFailure(agents, refused, pause(50));
  } finally {
    await agents.stop();
  }
}

const orFailure = (agents: Agents, refused: Promise<never>, work: Promise<unknown>) =>
  Promise.race([agents.failed, refused, work]);

/** The idempotency key is `<pipeline>/<stage>`. */
const partsOf = ({ execution }: TaskEnvelope) => (execution?.idempotencyKey ?? "").split("/");
export const pipelineOf = (envelope: TaskEnvelope): string => partsOf(envelope)[0] ?? "";
export const stageOf = (envelope: TaskEnvelope): string => partsOf(envelope)[1] ?? "";
