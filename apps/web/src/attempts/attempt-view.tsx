import { Select } from "../ui/field.tsx";
import { Button } from "../ui/button.tsx";
import type { Attempt, AttemptSummary, Shown } from "./attempt-queries.ts";
import type { AttemptSearch } from "./attempt-search.ts";
import { ContextPanel } from "./context-panel.tsx";
import { EnvelopePanel } from "./envelope-panel.tsx";
import { GatePanel } from "./gate-panel.tsx";
import { ResultPanel, Whole } from "./result-panel.tsx";
import { StepList } from "./step-list.tsx";
import { TurnList } from "./turn-list.tsx";
import type { Opening } from "./use-event-window.ts";
import { WorkLog } from "./work-log.tsx";

type Props = {
  pipelineId: string;
  attempt: Attempt;
  /** The attempt of this stage before this one. */
  before: AttemptSummary | undefined;
  search: AttemptSearch;
  onSearch: (change: Pick<AttemptSearch, "show" | "from">) => void;
};

export function AttemptView({ pipelineId, attempt, before, search, onSearch }: Props) {
  switch (search.view) {
    case "turns":
      return <TurnList pipelineId={pipelineId} attempt={attempt} />;
    case "result":
      return (
        <div className="grid gap-10">
          <GatePanel attempt={attempt} />
          <ResultPanel attempt={attempt} />
          {attempt.result !== null && <Whole value={attempt.result} what="result" />}
        </div>
      );
    case "context":
      return (
        <div className="grid gap-10">
          <EnvelopePanel attempt={attempt} />
          <ContextPanel attempt={attempt} before={before} />
        </div>
      );
    case "record":
      return <StepList steps={attempt.steps} />;
    case undefined:
    default:
      return <Work pipelineId={pipelineId} attempt={attempt} search={search} onSearch={onSearch} />;
  }
}

const filters: Record<Shown, string> = {
  all: "Everything",
  thoughts: "Thoughts",
  tools: "Tools",
  terminal: "Terminal",
};
const names = Object.values(filters);

function Work({ pipelineId, attempt, search, onSearch }: Omit<Props, "before">) {
  const shown: Shown = search.show ?? "all";
  const opening = openingOf(search);
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <div>
          <Select
            label="Show"
            value={filters[shown]}
            options={names}
            onValue={(name) => {
              const chosen = (["thoughts", "tools", "terminal"] as const).find(
                (one) => filters[one] === name,
              );
              onSearch({ show: chosen });
            }}
          />
        </div>
        <Button onClick={() => onSearch({ from: "start" })}>From the start</Button>
        <Button onClick={() => onSearch({ from: undefined })}>To the newest</Button>
      </div>
      <WorkLog
        key={`${shown} ${search.from ?? ""}`}
        pipelineId={pipelineId}
        dispatchId={attempt.dispatchId}
        shown={shown}
        opening={opening}
        atWork={attempt.atWork}
      />
    </div>
  );
}

function openingOf({ from }: AttemptSearch): Opening {
  if (from === undefined) return { at: "end" };
  return from === "start" ? { at: "start" } : { at: "turn", turnIndex: Number(from) };
}
