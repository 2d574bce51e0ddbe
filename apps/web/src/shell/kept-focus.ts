import { useEffect } from "react";

/** So long a page may take to give the focus itself, as it does after a navigation. */
const GRACE_MS = 100;
const focusable = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** An element, and those beside it while it was there: once it is gone nothing tells where it was. */
type Step = { element: Element; next: Element | null; before: Element | null };

const stepsTo = (target: Element): Step[] => {
  const steps: Step[] = [];
  for (let element: Element | null = target; element !== null; element = element.parentElement)
    steps.push({ element, next: element.nextElementSibling, before: element.previousElementSibling });
  return steps;
};

/** What a closed dialog holds, and what is hidden or disabled, would leave the focus where it is: nowhere. */
const takesFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.matches(focusable) &&
  !element.matches(":disabled") &&
  element.checkVisibility({ visibilityProperty: true });

const firstIn = (element: Element | null): HTMLElement | undefined => {
  if (element === null || !element.isConnected) return undefined;
  return [element, ...element.querySelectorAll(focusable)].find(takesFocus);
};

/** Of what is still there, the nearest: what stood behind it, before it, or around it, from the inside out. */
function nearest(steps: readonly Step[]): HTMLElement | undefined {
  const gone = steps.findLastIndex(({ element }) => !element.isConnected);
  for (const { element, next, before } of steps.slice(Math.max(0, gone))) {
    if (element.matches("main, body")) return undefined;
    const found = firstIn(next) ?? firstIn(before) ?? firstIn(element);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * When what has the focus goes away (a row that was removed, a button that is of no more use, a field that one may not write
 * in any more) a browser gives it to nothing, and whoever works by keyboard begins at the top of the page again. Here it goes to what is nearest.
 */
export function KeptFocus(): null {
  useEffect(() => {
    // This comes a moment after the page: somebody may be writing already.
    let steps: Step[] =
      document.activeElement === null || document.activeElement === document.body
        ? []
        : stepsTo(document.activeElement);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) steps = stepsTo(target);
    };
    const isLost = () => {
      const element = steps[0]?.element;
      return element !== undefined && (!element.isConnected || element.matches(":disabled"));
    };
    const giveOn = () => {
      timer = undefined;
      const active = document.activeElement;
      // A browser takes the focus from what was disabled with its next frame, and a page behind another draws none.
      const isNowhere = active === document.body || active?.matches(":disabled") === true;
      if (!isNowhere || !isLost()) return;
      (nearest(steps) ?? document.querySelector("main"))?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (isLost()) timer ??= setTimeout(giveOn, GRACE_MS);
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"],
    });
    document.addEventListener("focusin", remember);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("focusin", remember);
    };
  }, []);
  return null;
}
