import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { paths } from "../paths.ts";
import { TaskName } from "../pipelines/task-name.tsx";
import { useNow } from "../ui/use-now.ts";
import { useRowKeys } from "../ui/row-keys.ts";
import { Lamp } from "../ui/signal.tsx";
import { ageOf, dueOf } from "./due.ts";
import type { Escalation } from "./escalation-queries.ts";
import { usePeople } from "./people.ts";
import { causeOf, endInWords } from "./words.ts";

export function InboxList({ escalations }: { escalations: readonly Escalation[] }) {
  const list = useRef<HTMLUListElement>(null);
  const now = useNow();
  const { nameOf } = usePeople();
  useRowKeys(list);
  return (
    <ul ref={list} aria-label="Escalations" className="board divide-y divide-rule/70 overflow-hidden">
      {escalations.map((escalation) => (
        <Row key={escalation.escalationId} of={escalation} now={now} nameOf={nameOf} />
      ))}
    </ul>
  );
}

type RowProps = { of: Escalation; now: number; nameOf: (memberId: string) => string };

function Row({ of, now, nameOf }: RowProps) {
  const due = dueOf(of, now);
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-4 hover:bg-recess/60 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-6">
      <Lamp aspect={due.aspect} />
      <div className="min-w-0">
        <Link
          {...paths.escalation(of.escalationId)}
          data-row=""
          className="clamped-2 font-medium underline decoration-track/50 underline-offset-4 after:absolute after:inset-0 hover:decoration-ink"
        >
          {of.problem}
        </Link>
        <p className="mt-1 text-sm">
          <TaskName {...of} />
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-sm text-ink-soft">
          <span>{causeOf(of)}</span>
          <span className="anywhere">
            {of.stageId === null ? "the pipeline as a whole" : `stage ${of.stageId}`}
            {of.attemptNumber > 0 && `, attempt ${of.attemptNumber}`}
          </span>
          {of.packId !== null && <span className="clamped-1 font-mono text-xs leading-5">{of.packId}</span>}
          {!of.blocking && <span>nothing waits for it</span>}
        </p>
      </div>
      <div className="col-start-2 flex flex-wrap gap-x-3 text-sm sm:col-start-3 sm:block sm:text-right">
        <p className="font-medium whitespace-nowrap tabular-nums">{due.word}</p>
        <p className="whitespace-nowrap text-ink-soft tabular-nums" title={of.openedAt}>
          {ageOf(of, now)}
        </p>
        <p className="anywhere text-ink-soft sm:max-w-52">
          {of.closedAt === null
            ? of.assigneeId === null
              ? "with nobody"
              : `with ${nameOf(of.assigneeId)}`
            : endInWords(of.end, nameOf)}
        </p>
      </div>
    </li>
  );
}
