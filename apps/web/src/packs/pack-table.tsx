import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Plate } from "../ui/plate.tsx";
import type { PackSummary } from "./pack-queries.ts";
import { riskTierInWords } from "./risk-tier.ts";

const cell = "px-4 py-3 align-top text-sm first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6";
const fromMedium = "hidden md:table-cell";
const fromLarge = "hidden xl:table-cell";

const columns = [
  { name: "Pack", className: "" },
  { name: "Version", className: fromMedium },
  { name: "Risk tier", className: fromMedium },
  { name: "Task types", className: fromLarge },
  { name: "Registered", className: fromMedium },
];

export function PackTable({ packs }: { packs: readonly PackSummary[] }) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Registered packs, the newest first</caption>
      <thead>
        <tr className="border-b border-rule">
          {columns.map(({ name, className }) => (
            <th
              key={name}
              scope="col"
              className={`${cell} ${className} font-medium whitespace-nowrap text-ink-soft`}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {packs.map((pack) => (
          <PackRow key={`${pack.packId} ${pack.packVersion}`} pack={pack} />
        ))}
      </tbody>
    </table>
  );
}

function PackRow({ pack }: { pack: PackSummary }) {
  const tier = riskTierInWords(pack.safetyTier);
  return (
    <tr className="border-b border-rule/70 last:border-b-0 hover:bg-recess/60">
      <th scope="row" className={`${cell} font-normal`}>
        <Link
          {...paths.pack(pack)}
          className="clamped-3 font-mono font-medium underline decoration-track/50 underline-offset-4 hover:decoration-ink"
        >
          {pack.packId}
          <span className="sr-only"> version {pack.packVersion}</span>
        </Link>
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft md:hidden">
          <Plate>{pack.packVersion}</Plate>
          <span>risk {tier}</span>
          <Moment at={pack.registeredAt} />
        </div>
      </th>
      <td className={`${cell} ${fromMedium} anywhere`}>
        <Plate>{pack.packVersion}</Plate>
      </td>
      <td className={`${cell} ${fromMedium}`}>{tier}</td>
      <td className={`${cell} ${fromLarge} anywhere`}>
        <span className="clamped-3">{pack.supportedTaskTypes.join(", ") || "none named"}</span>
      </td>
      <td className={`${cell} ${fromMedium} whitespace-nowrap`}>
        <Moment at={pack.registeredAt} />
      </td>
    </tr>
  );
}
