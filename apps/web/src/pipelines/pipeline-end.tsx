import { useState } from "react";
import { usePeople } from "../escalations/people.ts";
import { WithEscalations } from "../escalations/with-escalations.tsx";
import { Button } from "../ui/button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Pipeline } from "./pipeline-queries.ts";
import { pipelineStatus, shortStatus } from "./statuses.ts";

/** What an agent said of its failure, and what a person writes, may be a page of its own. */
const LONG_REASON = 480;
const LONG_LINES = 6;

/** Who ended it and why; what is complete says so itself, and of older ones nothing was kept. */
export function Ended({ pipeline: { status, end, endedAt } }: { pipeline: Pipeline }) {
  const { nameOf } = usePeople();
  if (end === null || shortStatus(status) === "COMPLETED") return null;
  const { word, aspect } = pipelineStatus(status);
  const byItself = end.by.type === "orchestrator";
  return (
    <Notice
      aspect={aspect}
      title={byItself ? `It has ${word.toLowerCase()}` : `${word} by ${nameOf(end.by.id)}`}
    >
      <Reason text={end.reason} />
      <p className="text-ink-soft">
        {end.escalationId !== null && (
          <>
            With the answer to <WithEscalations text={end.escalationId} />,{" "}
          </>
        )}
        {endedAt !== null && <Moment at={endedAt} exact />}
      </p>
    </Notice>
  );
}

function Reason({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text === "") return <p>No reason was given.</p>;
  const isLong = text.length > LONG_REASON || text.split("\n").length > LONG_LINES;
  return (
    <>
      <p className={`whitespace-pre-wrap ${isLong && !isWhole ? "line-clamp-6" : ""}`}>
        <WithEscalations text={text} />
      </p>
      {isLong && (
        <Button onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less of the reason" : "Read the whole reason"}
        </Button>
      )}
    </>
  );
}
