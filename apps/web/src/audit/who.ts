/** Whoever stands on record: an id, and what the pages call it. */
export type Somebody = { readonly id: string; readonly name: string };

const folded = (text: string): string => text.trim().toLowerCase();

/** What is offered of them, and shown for an id: the name, with the id where another is called the same. */
export function offersOf(known: readonly Somebody[]): readonly { id: string; says: string }[] {
  const named = Map.groupBy(known, ({ name }) => folded(name));
  return known.map(({ id, name }) => ({
    id,
    says: (named.get(folded(name)) ?? []).length > 1 ? `${name} (${id})` : name,
  }));
}

/**
 * Who is meant by what was written, as the record has it: an id, a name, or the label of a key with or without the word.
 * What nobody is called is left as it is, since the record also holds who is not listed; one of several is not guessed.
 */
export function whoIs(text: string, known: readonly Somebody[]): string | { fault: string } {
  const wanted = folded(text);
  if (known.some(({ id }) => id === text.trim())) return text.trim();
  const offered = offersOf(known).find(({ says }) => folded(says) === wanted);
  if (offered !== undefined) return offered.id;
  const named = (name: string) => known.filter((one) => folded(one.name) === name);
  const meant = [named(wanted), named(`key ${wanted}`)].find((found) => found.length > 0) ?? [];
  if (meant.length > 1) return { fault: `${meant.length} are called that. Choose one of those offered.` };
  return meant[0]?.id ?? text.trim();
}
