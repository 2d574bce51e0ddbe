import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** What goes somewhere is a link, also where it looks like a button. */
export function LinkButton({ link, children }: { link: LinkProps; children: ReactNode }) {
  return (
    <Link
      {...link}
      className="inline-flex min-h-10 items-center justify-center rounded-sm border border-plate bg-plate px-4 text-sm font-medium text-plate-ink transition-colors hover:bg-plate/85"
    >
      {children}
    </Link>
  );
}
