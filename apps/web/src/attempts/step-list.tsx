import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import type { Attempt } from "./attempt-queries.ts";
import { Marked } from "./marked.tsx";

/** What was decided of the attempt, as the audit record has it. */
export function StepList({ steps }: { steps: Attempt["steps"] }) {
  return (
    <Panel heading="On record">
      <ol className="board divide-y divide-rule/70">
        {steps.map(({ auditId, action, actor, rationale, recordedAt }) => (
          <li key={auditId} className="step-row px-4 py-3 text-sm">
            <span className="anywhere font-mono text-xs font-medium">{action}</span>
            <span className="anywhere">
              <Marked text={rationale} />
              <span className="block text-xs text-ink-soft">by {actor.id || actor.type}</span>
            </span>
            <span className="text-xs text-ink-soft">
              <Moment at={recordedAt} exact />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
