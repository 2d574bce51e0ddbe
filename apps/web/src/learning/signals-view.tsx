import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { LongText } from "../attempts/marked.tsx";
import { latencyInWords } from "../instances/ability.ts";
import { paths } from "../paths.ts";
import { ShowMore } from "../settings/show-more.tsx";
import { Select } from "../ui/field.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fact } from "../ui/panel.tsx";
import { type Aggregate, aggregatePages } from "./learning-queries.ts";
import { signalScopes, type LearningSearch } from "./learning-search.ts";
import { hitsInWords, principlesInWords, ratingsInWords, shareInWords } from "./learning-words.ts";

/** Signals by capability, by territory, or by the payload's fingerprint. */
export function SignalsView({ search }: { search: LearningSearch }) {
  const { by = "capability", capability } = search;
  const pages = useSuspenseInfiniteQuery(aggregatePages(by, capability));
  const navigate = useNavigate();
  const aggregates = pages.data.pages.flatMap((page) => page.aggregates);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-end gap-4">
        <Select
          label="Counted by"
          value={by}
          options={signalScopes}
          onValue={(chosen) =>
            void navigate({
              ...paths.learning({
                view: "signals",
                ...(chosen !== "capability" && { by: chosen }),
                ...(capability !== undefined && { capability }),
              }),
              replace: true,
            })
          }
        />
        {capability !== undefined && (
          <p className="anywhere min-h-10 content-center text-sm">
            of <span className="font-mono text-xs">{capability}</span> alone.{" "}
            <Link
              {...paths.learning({ view: "signals", ...(by !== "capability" && { by }) })}
              className="font-medium underline underline-offset-4"
            >
              Show all
            </Link>
          </p>
        )}
      </div>
      {aggregates.length === 0 ? (
        <Notice
          aspect="unlit"
          title={capability === undefined ? "There are no signals yet" : "There are none of it"}
        >
          <p>Each Result of SAP V2.0 that is final is one, and so is what somebody says of it.</p>
        </Notice>
      ) : (
        <div>
          <ul aria-label="Signals" className="grid gap-4 lg:grid-cols-2">
            {aggregates.map((aggregate) => (
              <Counts
                key={JSON.stringify([aggregate.capability, aggregate.territory, aggregate.fingerprint])}
                of={aggregate}
              />
            ))}
          </ul>
          <ShowMore count={aggregates.length} pages={pages} />
        </div>
      )}
    </div>
  );
}

function Counts({ of }: { of: Aggregate }) {
  const { by, capability, territory, fingerprint, outcomes, work, violations, notes } = of;
  const principles = principlesInWords(of.principles);
  const wrong = violations.low + violations.medium + violations.high;
  return (
    <li className="board min-w-0 p-4 sm:px-6">
      <h2 className="anywhere font-mono text-sm font-medium">
        {by === "capability" && capability !== null ? (
          <Link
            {...paths.learning({ view: "signals", by: "territory", capability })}
            className="underline underline-offset-4"
          >
            {capability}
          </Link>
        ) : (
          capability
        )}
      </h2>
      {by !== "capability" && (
        <p className="anywhere mt-1 text-sm text-ink-soft">
          {territory === null ? "without a territory" : `in ${territory}`}
        </p>
      )}
      {fingerprint !== null && (
        <p className="anywhere clamped-2 mt-1 font-mono text-xs text-ink-soft" title={fingerprint}>
          {fingerprint}
        </p>
      )}
      <dl className="mt-3">
        <Fact name="Succeeded">{shareInWords(outcomes.succeeded, outcomes.total)}</Fact>
        {outcomes.total > 0 && (
          <Fact name="Time taken">
            {latencyInWords(work.latencyMs / outcomes.total)} on average, {latencyInWords(work.longestMs)} at
            most
          </Fact>
        )}
        {work.retries + work.rejections > 0 && (
          <Fact name="Begun again">
            {work.retries} after a failure, {work.rejections} at a gate
          </Fact>
        )}
        {wrong > 0 && (
          <Fact name="Violations">
            {violations.high} high, {violations.medium} medium, {violations.low} low
          </Fact>
        )}
        {principles.length > 0 && (
          <Fact name="Principles">
            <ul>
              {principles.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Answered by cache">{hitsInWords(of.cache)}</Fact>
        <Fact name="Rated">{ratingsInWords(of.ratings)}</Fact>
        <Fact name="Counted">
          <Moment at={of.changedAt} exact />
        </Fact>
      </dl>
      {notes.length > 0 && (
        <details className="mt-3">
          <summary className="min-h-11 content-center py-2 text-sm font-medium">
            {notes.length === 1 ? "The note" : `The newest ${notes.length} notes`}
            <span className="sr-only">
              {" "}
              on {capability}
              {territory === null ? "" : ` in ${territory}`}
            </span>
          </summary>
          <ul className="grid gap-3 text-sm">
            {notes.map(({ taskId, by: who, note }) => (
              <li key={JSON.stringify([taskId, who])} className="border-l-2 border-rule pl-4">
                <LongText text={note} what="the note" />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
