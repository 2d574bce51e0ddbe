import { existsSync } from "node:fs";
import { join } from "node:path";

/** Playwright takes a global setup by its default export alone. */
// oxlint-disable-next-line import/no-default-export
export default function requirePages(): void {
  const page = join(import.meta.dirname, "../apps/web/dist/index.html");
  if (existsSync(page)) return;
  throw new Error(
    "The pages are not built: run `pnpm --filter @signalbox/web build` first (`npm test` does).",
  );
}
