import { useState } from "react";
import { usePeople } from "../escalations/people.ts";
import { Button } from "../ui/button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import type { DraftNews } from "./draft-news.ts";
import { TextDifference } from "./text-difference.tsx";

type ClosedProps = {
  closed: Extract<DraftNews, { kind: "closed" }>;
  /** What both began as, and what is written here now. */
  base: string;
  mine: string;
  /** What the text would be called from now on. */
  next: string;
  onKeep: () => void;
  onDrop: () => void;
};

const ends = {
  published: "published",
  retired: "published, and retired since",
  discarded: "discarded",
} as const;

/** The draft that is written here is none any more: what was written stays, and there are ways on. */
export function ClosedDraft({ closed, base, mine, next, onKeep, onDrop }: ClosedProps) {
  const { version, how, by, at, theirs } = closed;
  const { nameOf } = usePeople();
  const [compared, setCompared] = useState(false);
  const who = by === undefined ? "" : ` by ${nameOf(by)}`;
  return (
    <section role="alert" aria-label={`${version} is no draft any more`}>
      <Notice aspect="caution" title={`${version} was ${ends[how]}${who} while it was open here`}>
        {at !== undefined && (
          <p>
            Published <Moment at={at} exact />
            {theirs !== undefined && theirs.note !== "" && <>, with the note “{theirs.note}”</>}.
          </p>
        )}
        <p>
          {how === "discarded"
            ? `There is no draft ${version} to save this in. What you wrote is still here.`
            : `What was published never changes, so that nothing can be saved as ${version}. What you wrote is still here.`}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button kind="main" onClick={onKeep}>
            Keep my text as draft {next}
          </Button>
          <Button onClick={() => setCompared(!compared)}>
            {compared ? "Hide the difference" : "See the difference"}
          </Button>
          <Button onClick={onDrop}>
            {how === "discarded" ? "Drop mine" : `Drop mine and show ${version}`}
          </Button>
        </div>
      </Notice>
      {compared && (
        <div className="mt-4">
          <TextDifference
            before={{
              label: theirs === undefined ? "as it was read" : `${version}, ${ends[how]}`,
              text: theirs?.text ?? base,
            }}
            after={{ label: "what you wrote", text: mine }}
          />
        </div>
      )}
    </section>
  );
}
