import { LongText } from "../attempts/marked.tsx";
import { usePeople } from "../escalations/people.ts";
import { Moment } from "../ui/moment.tsx";
import type { GivenRating } from "./learning-queries.ts";
import { ratingInWords } from "./learning-words.ts";

/** Of each person the last word. */
export function RatingList({ ratings }: { ratings: readonly GivenRating[] }) {
  const { nameOf } = usePeople();
  if (ratings.length === 0) return <p className="text-sm text-ink-soft">Nobody rated it yet.</p>;
  return (
    <ul aria-label="Ratings" className="grid gap-3">
      {ratings.map((rating) => (
        <li key={rating.by} className="border-l-2 border-rule pl-4 text-sm">
          <p className="anywhere text-ink-soft">
            <span className="font-medium text-ink">{nameOf(rating.by)}</span>: {ratingInWords(rating)},{" "}
            <Moment at={rating.at} />
          </p>
          {rating.note !== null && (
            <div className="mt-1">
              <LongText text={rating.note} what="the note" />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
