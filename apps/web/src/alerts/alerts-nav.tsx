import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";

const views = [
  { name: "Alerts", link: paths.alerts() },
  { name: "Metrics", link: paths.activity() },
];

/** What needs somebody, and what happened: two pages, one beside the other. */
export function AlertsNav() {
  return (
    <nav aria-label="Views" className="mb-8 border-b border-rule">
      <ul className="flex flex-wrap gap-x-6">
        {views.map(({ name, link }) => (
          <li key={name}>
            <Link
              {...link}
              activeOptions={{ exact: true, includeSearch: false }}
              className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-ink-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
