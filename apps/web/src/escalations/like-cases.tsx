import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { TaskName } from "../pipelines/task-name.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import type { Escalation } from "./escalation-queries.ts";
import { usePeople } from "./people.ts";
import { endInWords, saidWith } from "./words.ts";

/** How people answered the like before: the same cause, at the same type of task. */
export function LikeCases({ like }: { like: readonly Escalation[] }) {
  const { nameOf } = usePeople();
  return (
    <Panel heading="Like cases before">
      {like.length === 0 ? (
        <p className="text-sm text-ink-soft">None of this cause at this type of task.</p>
      ) : (
        <ul className="grid gap-4">
          {like.map((one) => (
            <li key={one.escalationId} className="text-sm">
              <Link
                {...paths.escalation(one.escalationId)}
                className="clamped-2 underline decoration-track/50 underline-offset-4 hover:decoration-ink"
              >
                {one.problem}
              </Link>
              <p className="mt-1 text-xs text-ink-soft">
                <TaskName {...one} />
              </p>
              <p className="anywhere mt-1">
                <span className="font-medium">{endInWords(one.end, nameOf)}</span>
                {one.closedAt !== null && (
                  <span className="text-ink-soft">
                    , <Moment at={one.closedAt} />
                  </span>
                )}
              </p>
              {one.end?.kind === "resolved" && (
                <>
                  {saidWith(one.end).map(({ name, text }) => (
                    <p key={name} className="clamped-3">
                      {name}: {text}
                    </p>
                  ))}
                  <p className="clamped-3 text-ink-soft">{one.end.comment}</p>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
