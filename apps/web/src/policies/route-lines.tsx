import { Plate } from "../ui/plate.tsx";
import type { Fallback, PolicyOutline, RouteOutline } from "./policy-outline.ts";

/** A policy as lines on the panel: from a task type, over the packs that may do it, to where it goes if none is able. */
export function RouteLines({ outline }: { outline: PolicyOutline }) {
  if (outline.routes.length === 0) {
    return <p className="text-sm text-ink-soft">No task type has a route: each task asks a person.</p>;
  }
  return (
    <ul aria-label="Routes" className="board divide-y divide-rule/70">
      {outline.routes.map((route) => (
        <li key={route.taskType} className="px-5 py-4">
          <RouteLine route={route} />
        </li>
      ))}
    </ul>
  );
}

function RouteLine({
  route: { taskType, allowed, preferred, minRiskTier, fallback },
}: {
  route: RouteOutline;
}) {
  return (
    <div className="grid gap-x-6 gap-y-2 text-sm md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_minmax(0,1fr)] md:items-center">
      <p className="anywhere font-medium">
        {taskType}
        {minRiskTier !== "" && (
          <span className="block text-xs font-normal text-ink-soft">
            at least {minRiskTier.toLowerCase()} risk
          </span>
        )}
      </p>
      <ul className="flex flex-wrap items-center gap-1.5 md:border-l-4 md:border-track md:pl-4">
        {allowed.map((packId) => (
          <li key={packId}>
            {packId === preferred ? (
              <>
                <Plate>{packId}</Plate>
                <span className="sr-only"> preferred</span>
              </>
            ) : (
              <span className="anywhere rounded-[3px] border border-track/45 px-1.5 py-px font-mono text-xs">
                {packId}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="anywhere text-ink-soft">{fallbackWords(fallback)}</p>
    </div>
  );
}

const fallbackWords = (fallback: Fallback): string => {
  if (fallback.kind === "pack") return `else ${fallback.packId}`;
  return fallback.kind === "person" ? "else a person is asked" : "else as the defaults say";
};
