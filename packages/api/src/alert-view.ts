import type { AlertView } from "@signalbox/engine";

export const alertView = ({ raisedAt, ...alert }: AlertView) => ({
  ...alert,
  raisedAt: raisedAt.toISOString(),
});
