/** What the names of all that is kept of unsaved texts begin with. */
export const draftPrefix = "signalbox.draft";

/** When somebody last signed out in this browser, and when this tab last had nothing left of them. */
const signedOutAt = "signalbox.signed-out-at";
/** Where a browser forbids them, already to name one throws: then nothing was kept either. */
type Places = Pick<Window, "localStorage" | "sessionStorage">;

/** Before anybody hears of it: a tab that sleeps hears nothing, and finds this when it wakes. */
export function noteSignedOut(places: Places, now: number): void {
  try {
    places.localStorage.setItem(signedOutAt, String(now));
  } catch {
    // As above.
  }
}

/** Who signs out leaves nothing behind, also of the pages that are not open any more. */
export function dropAllDrafts(places: Places, now: number): void {
  try {
    const { sessionStorage: kept } = places;
    for (const key of Object.keys(kept)) if (key.startsWith(`${draftPrefix}/`)) kept.removeItem(key);
    kept.setItem(signedOutAt, String(now));
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
