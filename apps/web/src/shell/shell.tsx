import { lazy, Suspense, useRef, type ComponentType, type ReactNode } from "react";
import { ConnectionIndicator } from "../connection/connection-indicator.tsx";
import { ConnectionNotice } from "../connection/connection-notice.tsx";
import { SignOut } from "../session/sign-out.tsx";
import { ThemeToggle } from "../theme/theme-toggle.tsx";
import { Brand } from "./brand.tsx";
import { LineMap } from "./line-map.tsx";

/** No page waits for it. */
const Palette = lazy(async () => {
  const { Palette: component } = await import("../palette/palette.tsx");
  return { default: component };
});

type ShellProps = { Notice: ComponentType | undefined; children: ReactNode };

/** The frame of every page that a signed-in person sees. */
export function Shell({ Notice, children }: ShellProps) {
  const main = useRef<HTMLElement>(null);
  return (
    <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[auto_minmax(0,1fr)]">
      <a
        href="#main"
        className="absolute top-2 left-2 z-10 -translate-y-20 rounded-sm bg-plate px-4 py-2 font-medium text-plate-ink focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <header className="flex flex-wrap items-center gap-x-4 border-b border-rule px-4 py-2 sm:px-6 lg:col-span-2">
        <Brand />
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <Suspense>
            <Palette />
          </Suspense>
          <ConnectionIndicator />
          <ThemeToggle />
          <SignOut />
        </div>
      </header>
      <LineMap />
      <main id="main" ref={main} tabIndex={-1} className="min-w-0 flex-1">
        <ConnectionNotice />
        {Notice && <Notice />}
        {children}
      </main>
    </div>
  );
}
