import { Link } from "@tanstack/react-router";
import type { PackSummary } from "../packs/pack-queries.ts";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Plate } from "../ui/plate.tsx";

export function NewestPacks({ packs }: { packs: readonly PackSummary[] }) {
  return (
    <ul>
      {packs.map((pack) => (
        <li
          key={`${pack.packId} ${pack.packVersion}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-rule/70 py-3 text-sm first:pt-0 last:border-b-0"
        >
          <Link
            {...paths.pack(pack)}
            className="clamped-3 font-mono font-medium underline decoration-track/50 underline-offset-4 hover:decoration-ink"
          >
            {pack.packId}
            <span className="sr-only"> version {pack.packVersion}</span>
          </Link>
          <Plate>{pack.packVersion}</Plate>
          <span className="ml-auto text-ink-soft">
            <Moment at={pack.registeredAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
