import { Link } from "@tanstack/react-router";
import { shortSpan } from "../escalations/due.ts";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { type Aspect, Lamp } from "../ui/signal.tsx";
import { useNow } from "../ui/use-now.ts";
import type { Condition } from "./alert-queries.ts";
import { alertInWords } from "./alert-words.ts";

/** What holds is lit; what only comes to hold if nobody does anything is not yet. */
const aspectOf = ({ severity }: Condition, holds: boolean): Aspect => {
  if (!holds) return "unlit";
  return severity === "SEV2" ? "danger" : "caution";
};

export function ConditionList({ conditions }: { conditions: readonly Condition[] }) {
  const now = useNow(1_000);
  if (conditions.length === 0) return <Notice aspect="clear" title="Nothing calls for anybody now" />;
  return (
    <ul aria-label="Holding now" className="board divide-y divide-rule/70">
      {conditions.map((condition) => {
        const { alert, packId, detail, holdsFrom } = condition;
        const from = holdsFrom === null ? null : Date.parse(holdsFrom);
        const holds = from === null || from <= now;
        return (
          <li
            key={`${alert} ${detail}`}
            className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-4 py-4 sm:px-6"
          >
            <Lamp aspect={aspectOf(condition, holds)} />
            <div className="min-w-0 text-sm">
              <p className="font-medium">{alertInWords(alert)}</p>
              <p className="anywhere mt-1">{detail}</p>
              <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-ink-soft">
                {from === null || holdsFrom === null ? (
                  <span>Nobody knows since when</span>
                ) : holds ? (
                  <span>
                    Since <Moment at={holdsFrom} />
                  </span>
                ) : (
                  <span>An alert in {shortSpan(from - now)}, unless somebody acts</span>
                )}
                <WayOn alert={alert} packId={packId} />
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Where somebody can do something about it. */
function WayOn({ alert, packId }: Pick<Condition, "alert" | "packId">) {
  const [link, says] =
    packId !== null
      ? [paths.instances(packId), "Its instances"]
      : alert === "no-candidates"
        ? [paths.escalations({ cause: "dispatch-refused" }), "What waits for it"]
        : [paths.escalations(), "The escalations"];
  return (
    <Link {...link} className="font-medium text-ink underline underline-offset-4">
      {says}
    </Link>
  );
}
