import { Page } from "./page.tsx";

/** Shown only when a page's data takes a moment: the frame stands still, and a word says what is going on. */
export function PendingPage() {
  return (
    <Page title="Loading">
      <output className="block text-ink-soft">Waiting for Signalbox to answer…</output>
    </Page>
  );
}
