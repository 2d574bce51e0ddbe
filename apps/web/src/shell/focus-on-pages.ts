import type { createAppRouter } from "../router.tsx";

type Router = ReturnType<typeof createAppRouter>;
type Location = Router["state"]["location"];

/** A long list draws its rows once it stands where it was scrolled to. */
const FRAMES = 20;

const keyOf = ({ state: { __TSR_key: key } }: Location): string | undefined => key;

const linkTo = (href: string) => document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);

/**
 * Without it a screen reader stays on the link that was followed, and says nothing of the page that came; and where the
 * frame changes too, as it does on signing out, the focus is nowhere. Who goes back stands on the link that they had
 * followed. What the page itself has given the focus to keeps it.
 */
export function giveFocusOnPages(router: Router): void {
  const followed = new Map<string, string>();
  router.subscribe("onBeforeNavigate", ({ fromLocation }) => {
    const key = fromLocation && keyOf(fromLocation);
    const href = document.activeElement?.closest("main a[href]")?.getAttribute("href") ?? undefined;
    if (key === undefined) return;
    if (href === undefined) followed.delete(key);
    else followed.set(key, href);
  });
  router.subscribe("onRendered", ({ pathChanged, fromLocation, toLocation }) => {
    if (!pathChanged || fromLocation === undefined) return;
    const main = document.querySelector("main");
    main?.focus({ preventScroll: true });
    const href = followed.get(keyOf(toLocation) ?? "");
    if (href === undefined) return;
    const look = (frames: number) => {
      if (document.activeElement !== main) return;
      const link = linkTo(href);
      if (link !== null) link.focus({ preventScroll: true });
      else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
    };
    look(FRAMES);
  });
}
