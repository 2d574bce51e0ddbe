import { useState } from "react";
import { usePeople } from "../escalations/people.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import type { StoredDocument } from "./document-queries.ts";
import { mergeTexts } from "./merge-texts.ts";
import { TextDifference, TextMerge } from "./text-difference.tsx";

type ConflictProps = {
  theirs: StoredDocument;
  /** Who saved it, where that was told. */
  by: string | undefined;
  base: string;
  mine: string;
  onMine: (text: string) => void;
  /** The text that stands from now on, written over theirs when it is saved. */
  onSettled: (text: string) => void;
};

const views = ["Side by side", "What they changed", "What you changed"] as const;

/** Somebody else saved first: both texts and what both began as, and nothing of either is lost. */
export function ConflictPanel({ theirs, by, base, mine, onMine, onSettled }: ConflictProps) {
  const [view, setView] = useState<(typeof views)[number]>(views[0]);
  const { nameOf } = usePeople();
  const merged = mergeTexts(base, mine, theirs.text);
  return (
    <section aria-label="Two wrote at once" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Notice
        aspect="caution"
        title={`${theirs.version} was changed while you wrote${by === undefined ? "" : `, by ${nameOf(by)}`}`}
      >
        <p>
          It is at edit {theirs.edit} now{theirs.note !== "" && <>, with the note “{theirs.note}”</>}. Nothing
          of yours is lost, and nothing of theirs is written over until you say so.
        </p>
        <p>
          {merged.kind === "merged"
            ? "You changed different lines, so that both can be brought together."
            : `You both changed ${merged.places === 1 ? "the same place" : `the same ${merged.places} places`}: take over what you want of theirs, or write it anew.`}
        </p>
      </Notice>
      <div className="flex flex-wrap gap-2">
        {merged.kind === "merged" && (
          <Button kind="main" onClick={() => onSettled(merged.text)}>
            Bring both together
          </Button>
        )}
        <Button onClick={() => onSettled(mine)}>Go on with mine</Button>
        <Button onClick={() => onSettled(theirs.text)}>Go on with theirs</Button>
      </div>
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <legend className="sr-only">What is compared</legend>
        {views.map((name) => (
          <label key={name} className="inline-flex min-h-9 items-center gap-2">
            <input
              type="radio"
              name="compared"
              className="size-4 accent-plate"
              checked={view === name}
              onChange={() => setView(name)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {view === "Side by side" && (
        <TextMerge
          theirs={{ label: "Theirs", text: theirs.text }}
          mine={{ label: "Yours", text: mine }}
          onText={onMine}
        />
      )}
      {view === "What they changed" && (
        <TextDifference
          before={{ label: "what both began as", text: base }}
          after={{ label: "theirs", text: theirs.text }}
        />
      )}
      {view === "What you changed" && (
        <TextDifference
          before={{ label: "what both began as", text: base }}
          after={{ label: "yours", text: mine }}
        />
      )}
    </section>
  );
}
