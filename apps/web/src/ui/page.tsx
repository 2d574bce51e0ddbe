import type { ReactNode } from "react";
import { useDocumentTitle } from "./document-title.ts";

type PageProps = {
  title: string;
  heading?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** A list or a table, which gains from a wide screen; what is read stays at a measure that can be. */
  wide?: boolean;
  children: ReactNode;
};

/** Every page's frame: none is without a title and a heading. */
export function Page({ title, heading = title, lead, actions, wide = false, children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={`mx-auto w-full ${wide ? "max-w-[110rem]" : "max-w-6xl"} px-4 py-8 sm:px-8 sm:py-12`}>
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
