/** What must be said: what is written, and what is told of it while that is nothing. */
export type Required = Readonly<Record<string, { readonly value: string; readonly says: string }>>;

/** Of each field that must be said and is not, what may be written there. */
export const missingIn = (required: Required): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(required).flatMap(([field, { value, says }]) =>
      value.trim() === "" ? [[field, says]] : [],
    ),
  );
