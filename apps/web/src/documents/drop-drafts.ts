/** What the names of all that is kept of unsaved texts begin with. */
export const draftPrefix = "signalbox.draft";

/** When somebody last signed out in this browser, and when this tab last had nothing left of them. */
const signedOutAt = "signalbox.signed-out-at";
type Places = Pick<Window, "localStorage" | "sessionStorage">;

/** Before anybody hears of it: a tab that sleeps hears nothing, and finds this when it wakes. */
export function noteSignedOut({ localStorage }: Places, now: number): void {
  try {
    localStorage.setItem(signedOutAt, String(now));
  } catch {
    // Where nothing can be kept, nothing was.
  }
}

/** Who signs out leaves nothing behind, also of the pages that are not open any more. */
export function dropAllDrafts({ sessionStorage }: Places, now: number): void {
  dropDrafts(() => sessionStorage);
  try {
    sessionStorage.setItem(signedOutAt, String(now));
  } catch {
    // As above.
  }
}

/** For a tab that begins or wakes, before any page looks for what was kept. */
export function dropIfSignedOut(places: Places, now: number): void {
  try {
    const { localStorage, sessionStorage } = places;
    if (Number(localStorage.getItem(signedOutAt)) > Number(sessionStorage.getItem(signedOutAt)))
      dropAllDrafts(places, now);
  } catch {
    // As above.
  }
}

export function dropDrafts(shelf: () => Pick<Storage, "length" | "key" | "removeItem">): void {
  try {
    const drafts = shelf();
    const keys = Array.from({ length: drafts.length }, (_, at) => drafts.key(at) ?? "");
    for (const key of keys) if (key.startsWith(`${draftPrefix}/`)) drafts.removeItem(key);
  } catch {
    // A storage that cannot be reached holds nothing of ours either.
  }
}
