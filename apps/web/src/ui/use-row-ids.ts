import { useState } from "react";
import { type Followed, followRows } from "./follow-rows.ts";

/** For each row of a list that has no names of its own: which it is, so that focus and what is half typed stay with it. */
export function useRowIds(rows: readonly unknown[]): readonly number[] {
  const [followed, setFollowed] = useState<readonly Followed[]>([]);
  const texts = rows.map((row) => JSON.stringify(row));
  const isSame =
    texts.length === followed.length && texts.every((text, index) => followed[index]?.text === text);
  if (isSame) return followed.map(({ id }) => id);
  const now = followRows(followed, texts);
  setFollowed(now);
  return now.map(({ id }) => id);
}
