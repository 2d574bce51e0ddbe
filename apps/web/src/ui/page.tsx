import type { ReactNode } from "react";
import { useDocumentTitle } from "./document-title.ts";
import { pageFrame } from "./page-frame.ts";

type PageProps = {
  title: string;
  heading?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
};

/** Every page's frame: none is without a title and a heading. */
export function Page({ title, heading = title, lead, actions, wide = false, children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={`${wide ? pageFrame.wide : pageFrame.read} py-8 sm:py-12`}>
      <header className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4 sm:mb-10">
        <div className="min-w-0">
          <h1 className="anywhere text-2xl font-semibold tracking-tight sm:text-3xl">{heading}</h1>
          {lead !== undefined && <div className="mt-2 max-w-prose text-ink-soft">{lead}</div>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
