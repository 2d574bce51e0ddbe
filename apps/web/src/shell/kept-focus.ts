const focusable = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** An element, and those beside it while it was there: once it is gone nothing tells where it was. */
type Step = { element: Element; next: Element | null; before: Element | null };

const stepsTo = (target: Element): Step[] => {
  const steps: Step[] = [];
  for (let element: Element | null = target; element !== null; element = element.parentElement)
    steps.push({ element, next: element.nextElementSibling, before: element.previousElementSibling });
  return steps;
};

const isOfUse = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(":disabled") &&
  element.checkVisibility({ visibilityProperty: true });

/** What a closed dialog holds, and what is hidden or disabled, would leave the focus where it is: nowhere. */
const takesFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.matches(focusable) && isOfUse(element);

const firstIn = (element: Element | null): HTMLElement | undefined =>
  element?.isConnected === true
    ? [element, ...element.querySelectorAll(focusable)].find(takesFocus)
    : undefined;

/** What came instead of it, or else what stood behind it. */
const inPlaceOf = ({ next, before }: Step): Element | null =>
  before?.isConnected === true ? before.nextElementSibling : (next?.previousElementSibling ?? null);

/** The nearest first: what stands in its place, behind it, before it, and around it, from the inside out. */
function* nearest(steps: readonly Step[]): Generator<HTMLElement> {
  const gone = steps.findLastIndex(({ element }) => !element.isConnected);
  for (const step of steps.slice(Math.max(0, gone))) {
    if (step.element.matches("main, body")) break;
    for (const around of [inPlaceOf(step), step.next, step.before, step.element]) {
      const found = firstIn(around);
      if (found !== undefined) yield found;
    }
  }
  const main = document.querySelector("main");
  if (main !== null) yield main;
}

function focused(): Element | undefined {
  const { activeElement } = document;
  // A browser takes the focus from what was disabled with its next frame, and a page behind another draws none.
  const isNowhere =
    activeElement === null || activeElement === document.body || activeElement.matches(":disabled");
  return isNowhere ? undefined : activeElement;
}

/**
 * When what has the focus goes away (a row that was removed, a button that is of no more use, a field that one may not write
 * in any more) a browser gives it to nothing, and whoever works by keyboard begins at the top of the page again. Here it
 * goes to what is nearest before the next key is read; what a page gives the focus to itself keeps it. From the first element
 * on, and so no part of a page that may come later: who is quicker than it would be lost for good.
 */
export function keepFocus(): void {
  let steps: Step[] = [];
  const look = () => {
    const holder = focused();
    if (holder !== undefined) {
      steps = stepsTo(holder);
      return;
    }
    const [held] = steps;
    if (held === undefined) return;
    if (isOfUse(held.element)) {
      // Somebody pressed on the page beside it: the focus is left, and not lost.
      steps = [];
      return;
    }
    for (const element of nearest(steps)) {
      element.focus({ preventScroll: true });
      if (document.activeElement === element) {
        steps = stepsTo(element);
        return;
      }
    }
  };
  document.addEventListener("focusin", look);
  // What is hidden by its style alone is told by no change of the page. Where the browser names who is next, as a dialog that
  // closes does, a word in between would keep it from them.
  document.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget === null) queueMicrotask(look);
  });
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}
