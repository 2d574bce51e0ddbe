/** A row of a list that people edit, known again however its content changes. */
export type Followed = { readonly id: number; readonly text: string };

/**
 * The rows as they are now, each with the identity that it had: what stands before and behind the change is as it was, what
 * is changed in between goes on as what stood there, and what is more than before is new.
 */
export function followRows(before: readonly Followed[], texts: readonly string[]): readonly Followed[] {
  let start = 0;
  while (start < before.length && start < texts.length && before[start]?.text === texts[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, texts.length) - start;
  while (end < most && before.at(-1 - end)?.text === texts.at(-1 - end)) end += 1;
  let fresh = Math.max(-1, ...before.map(({ id }) => id));
  const middle = before.slice(start, before.length - end);
  return texts.map((text, index) => {
    const behind = texts.length - index;
    const known =
      index < start ? before[index] : behind <= end ? before[before.length - behind] : middle[index - start];
    if (known !== undefined) return { id: known.id, text };
    fresh += 1;
    return { id: fresh, text };
  });
}
