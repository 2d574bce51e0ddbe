import { Link } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import { paths } from "../paths.ts";
import { Lamp } from "../ui/signal.tsx";
import type { AttemptSummary } from "./attempt-queries.ts";
import type { AttemptSearch } from "./attempt-search.ts";
import { standingOf } from "./attempt-words.ts";

/** Every attempt of the pipeline, stage by stage: where one is, and where one goes. */
export function AttemptRail({
  pipelineId,
  attempts,
  selected,
  search,
}: {
  pipelineId: string;
  attempts: readonly AttemptSummary[];
  selected: AttemptSummary;
  search: Pick<AttemptSearch, "view">;
}) {
  const stages = Map.groupBy(attempts, ({ stageId }) => stageId);
  return (
    <nav aria-label="Attempts" className="attempt-rail min-w-0">
      <ol className="grid gap-5">
        {[...stages].map(([stageId, own]) => (
          <li key={stageId} className="min-w-0">
            <p className="clamped-2 font-mono text-xs font-medium text-ink-soft">{stageId}</p>
            <ol className="border-l border-track/60">
              {own.map((attempt) => (
                <li key={attempt.dispatchId}>
                  <AttemptLink
                    pipelineId={pipelineId}
                    attempt={attempt}
                    selected={attempt === selected}
                    search={search}
                  />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** j and k walk through the attempts, as in every list here; Enter opens. */
function walk({ key, currentTarget }: KeyboardEvent<HTMLAnchorElement>): void {
  if (key !== "j" && key !== "k") return;
  const links = [...(currentTarget.closest("nav")?.querySelectorAll("a") ?? [])];
  const at = links.indexOf(currentTarget);
  links[at + (key === "j" ? 1 : -1)]?.focus();
}

function AttemptLink({
  pipelineId,
  attempt,
  selected,
  search,
}: {
  pipelineId: string;
  attempt: AttemptSummary;
  selected: boolean;
  search: Pick<AttemptSearch, "view">;
}) {
  const { aspect, word } = standingOf(attempt);
  const { stageId, attemptNumber } = attempt;
  return (
    <Link
      {...paths.attempts(pipelineId, {
        ...search,
        stage: stageId,
        attempt: String(attemptNumber),
      })}
      replace
      aria-current={selected ? "true" : undefined}
      resetScroll={false}
      onKeyDown={walk}
      className={`attempt-link flex min-h-11 min-w-0 items-center gap-3 px-3 py-2 text-sm ${selected ? "font-semibold" : "text-ink-soft hover:text-ink"}`}
    >
      <Lamp aspect={aspect} size="small" />
      <span className="anywhere">
        Attempt {attemptNumber}
        <span className="block text-xs font-normal text-ink-soft">{word}</span>
      </span>
    </Link>
  );
}
