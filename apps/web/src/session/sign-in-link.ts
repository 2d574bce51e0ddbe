/** The one-time token stands in the fragment, which a browser sends to no server and no log. */
function tokenOfFragment(fragment: string): string | undefined {
  const token = fragment.replace(/^#/, "").trim();
  return token === "" ? undefined : token;
}

/** What a person pastes: the whole printed link, or the token alone. */
export function tokenOfPastedLink(pasted: string): string | undefined {
  const fragmentStart = pasted.indexOf("#");
  const token = (fragmentStart === -1 ? pasted : pasted.slice(fragmentStart + 1)).trim();
  return /^[\w.~-]+$/.test(token) ? token : undefined;
}

/** A path of this SPA, or nothing: `//host` and `/\host` would lead a person who has just signed in elsewhere. */
export function ownPath(next: unknown): string | undefined {
  if (typeof next !== "string" || !/^\/(?![/\\])/.test(next)) return undefined;
  const base = "http://signalbox.invalid";
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : undefined;
}

let waitingToken: string | undefined;

/** The link that a start prints, and the one that an administrator hands on. */
const pagesOfLinks = new Set(["/sign-in", "/invitation"]);

/** Runs before the router reads the URL, so that the token is in neither the history nor any state of a page. */
export function takeTokenFromUrl(page: Pick<Window, "location" | "history">): boolean {
  if (!pagesOfLinks.has(page.location.pathname)) return false;
  const token = tokenOfFragment(page.location.hash);
  if (token === undefined) return false;
  page.history.replaceState(page.history.state, "", page.location.pathname + page.location.search);
  waitingToken = token;
  return true;
}

export const offerToken = (token: string): void => {
  waitingToken = token;
};

export const peekToken = (): string | undefined => waitingToken;

/** Once the server has judged it, a token is of no more use to anybody. */
export const dropToken = (): void => {
  waitingToken = undefined;
};
