import type { AlertConditionView, AlertPage, AlertView } from "@signalbox/engine";

const alertView = ({ raisedAt, ...alert }: AlertView) => ({
  ...alert,
  raisedAt: raisedAt.toISOString(),
});

const conditionView = ({ holdsFrom, ...condition }: AlertConditionView) => ({
  ...condition,
  holdsFrom: holdsFrom === null ? null : holdsFrom.toISOString(),
});

export const alertPageView = ({ alerts, conditions }: AlertPage) => ({
  alerts: alerts.map(alertView),
  ...(conditions && { conditions: conditions.map(conditionView) }),
});
