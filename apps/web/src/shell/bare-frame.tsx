import type { ReactNode } from "react";
import { ThemeToggle } from "../theme/theme-toggle.tsx";
import { Brand } from "./brand.tsx";

/** The frame of what is shown while nobody is known to be signed in: no page to go to, and no line to show. */
export function BareFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between px-4 py-2 sm:px-6">
        <Brand />
        <ThemeToggle />
      </header>
      <main tabIndex={-1} className="flex flex-1 flex-col">
        {children}
      </main>
    </div>
  );
}
