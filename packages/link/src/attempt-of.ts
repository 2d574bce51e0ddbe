import type { TaskEnvelope } from "@signalbox/contracts";

/** The attempt that an envelope is, as calls name it. */
export const attemptOf = ({ execution }: TaskEnvelope) => ({
  dispatchId: execution?.dispatchId ?? "",
  attemptNumber: execution?.attemptNumber ?? 0,
});
