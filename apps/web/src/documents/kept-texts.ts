/** A form as texts by name; what is not there was not written. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** What was kept of a form, whoever put it there: texts, and nothing else. */
export function textsIn(kept: string | undefined): Texts {
  try {
    const read: unknown = JSON.parse(kept ?? "{}");
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}
