import { Link, useRouter } from "@tanstack/react-router";
import { lazy, type RefObject, Suspense, useEffect, useRef } from "react";
import { paths } from "../paths.ts";

/** The pages do not wait for it. */
const WaitingBadge = lazy(async () => {
  const { WaitingBadge: component } = await import("../escalations/waiting-badge.tsx");
  return { default: component };
});

export const stations = [
  { name: "Overview", link: paths.overview(), exact: true },
  { name: "Escalations", link: paths.escalations(), exact: false },
  { name: "Pipelines", link: paths.pipelines(), exact: false },
  { name: "Packs", link: paths.packs(), exact: false },
  { name: "Instances", link: paths.instances(), exact: false },
  { name: "Policies", link: paths.policies(), exact: false },
  { name: "Templates", link: paths.templates(), exact: false },
  { name: "Learning", link: paths.learning(), exact: false },
  { name: "Audit", link: paths.audit(), exact: false },
  { name: "Alerts", link: paths.alerts(), exact: false },
  { name: "Settings", link: paths.settings(), exact: false },
];

/** The pages as blocks on one line; the block that is occupied is the page one is on. */
export function LineMap() {
  const line = useRef<HTMLUListElement>(null);
  useOccupiedInView(line);
  return (
    <nav aria-label="Pages" className="border-b border-rule lg:border-r lg:border-b-0">
      <ul
        ref={line}
        className="relative flex gap-1 overflow-x-auto px-4 sm:px-6 lg:sticky lg:top-0 lg:flex-col lg:gap-0 lg:px-4 lg:py-8"
      >
        {stations.map(({ name, link, exact }) => (
          <li key={name} className="station relative">
            <Link
              {...link}
              activeOptions={{ exact, includeSearch: false }}
              className="group relative flex min-h-11 items-center gap-3 px-2 text-sm whitespace-nowrap text-ink-soft transition-colors hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              <span aria-hidden="true" className="block-mark" />
              {name}
              {name === "Escalations" && (
                <Suspense>
                  <WaitingBadge />
                </Suspense>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** On a narrow screen the line is longer than what is seen of it. */
function useOccupiedInView(line: RefObject<HTMLUListElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const show = () => {
      const station = line.current?.querySelector("[aria-current=page]")?.parentElement;
      if (line.current && station)
        line.current.scrollTo({
          left: station.offsetLeft - (line.current.clientWidth - station.offsetWidth) / 2,
        });
    };
    show();
    return router.subscribe("onRendered", show);
  }, [router, line]);
}
