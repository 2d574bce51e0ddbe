import type { ReactNode } from "react";
import { Moment } from "../ui/moment.tsx";
import { Signal } from "../ui/signal.tsx";
import { useNow } from "../ui/use-now.ts";
import { abilityOf, errorsInWords, heartbeatsInWords, latencyInWords, loadInWords } from "./ability.ts";
import type { Instance } from "./instance-queries.ts";
import { StandingActions } from "./standing-actions.tsx";

type BoardProps = {
  instances: readonly Instance[];
  /** When the list was read, by this browser's clock. */
  readAt: number;
};

export function InstanceBoard({ instances, readAt }: BoardProps) {
  const now = useNow(5_000);
  return (
    <ul aria-label="Instances" className="board divide-y divide-rule/70">
      {instances.map((instance) => (
        <Row key={`${instance.packId} ${instance.instanceId}`} of={instance} readAt={readAt} now={now} />
      ))}
    </ul>
  );
}

function Row({ of, readAt, now }: { of: Instance; readAt: number; now: number }) {
  const { aspect, word } = abilityOf(of);
  const { quarantine, probation, draining, consecutiveInvalidResults, degradedTools } = of;
  return (
    <li className="flex flex-wrap gap-4 px-4 py-4 sm:px-6">
      <div className="min-w-0 grow basis-[min(100%,40rem)]">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 className="clamped-2 font-mono text-sm font-medium">{of.instanceId}</h2>
          <Signal aspect={aspect} word={word} size="small" />
        </div>
        <p className="anywhere mt-1 font-mono text-xs text-ink-soft">
          {of.packId} {of.packVersion}
        </p>
        <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2 text-sm sm:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.5fr)]">
          <Reading name="Load">{loadInWords(of)}</Reading>
          <Reading name="Mean time of a task">
            <span title="As it says of the last minute">{latencyInWords(of.averageLatencyMs)}</span>
          </Reading>
          <Reading name="Errors">{errorsInWords(of.errorRate)}</Reading>
          <Reading name="Heartbeats">
            <span title={`The last that this list tells of: ${of.heardAt}`}>
              {heartbeatsInWords(of, { readAt, now })}
            </span>
          </Reading>
        </dl>
        {quarantine !== null && (
          <p className="anywhere mt-3 text-sm">
            Quarantined since <Moment at={quarantine.since} />: {quarantine.reason}
            {quarantine.probationAt !== null && (
              <span className="block text-ink-soft">
                By the policy it may work again, on probation, from <Moment at={quarantine.probationAt} />.
              </span>
            )}
          </p>
        )}
        {probation !== null && (
          <p className="anywhere mt-3 text-sm">
            On probation since <Moment at={probation.since} />: the next valid result ends it, the next
            invalid one quarantines it again. It was quarantined for: {probation.reason}
          </p>
        )}
        {draining !== null && (
          <p className="anywhere mt-3 text-sm">
            Asked to drain since <Moment at={draining.since} />: {draining.reason}
          </p>
        )}
        {quarantine === null && probation === null && consecutiveInvalidResults > 0 && (
          <p className="mt-3 text-sm">
            {consecutiveInvalidResults} invalid {consecutiveInvalidResults === 1 ? "result" : "results"} in a
            row; three quarantine it.
          </p>
        )}
        {degradedTools.length > 0 && (
          <p className="anywhere mt-3 text-sm">Tools that do not work now: {degradedTools.join(", ")}</p>
        )}
      </div>
      <div className="max-w-full">
        <StandingActions of={of} />
      </div>
    </li>
  );
}

function Reading({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
