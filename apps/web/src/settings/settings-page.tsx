import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";
import { Page } from "../ui/page.tsx";

const parts = [
  { name: "You", link: paths.settings() },
  { name: "Members", link: paths.members() },
  { name: "Keys", link: paths.keys() },
  { name: "Redaction", link: paths.redaction() },
  { name: "Retention", link: paths.retention() },
  { name: "Gates", link: paths.gates() },
];

type SettingsProps = { part: string; lead: string; children: ReactNode };

export function SettingsPage({ part, lead, children }: SettingsProps) {
  return (
    <Page title={`${part} · Settings`} heading="Settings" lead={lead}>
      <nav aria-label="Settings" className="mb-8 border-b border-rule">
        <ul className="flex flex-wrap gap-x-6">
          {parts.map(({ name, link }) => (
            <li key={name}>
              <Link
                {...link}
                activeOptions={{ exact: true }}
                className="inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-ink-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid gap-12">{children}</div>
    </Page>
  );
}
