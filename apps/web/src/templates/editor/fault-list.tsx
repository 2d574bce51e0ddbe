import { Lamp } from "../../ui/signal.tsx";
import { placeOfFault } from "../fault-places.ts";
import type { Templates } from "../template-graph.ts";
import type { Fault } from "./use-check.ts";

type FaultListProps = {
  faults: readonly Fault[];
  templates: Templates;
  onFault: (fault: Fault) => void;
};

/** Each leads to its line and its block. */
export function FaultList({ faults, templates, onFault }: FaultListProps) {
  if (faults.length === 0) return null;
  return (
    <section
      aria-label="Faults"
      className="rounded-md border border-l-4 border-danger-rule bg-danger-panel p-4"
    >
      <p className="flex items-center gap-3 font-semibold">
        <Lamp aspect="danger" size="small" />
        {faults.length === 1 ? "A fault" : `${faults.length} faults`}: this cannot be published yet
      </p>
      <ul className="mt-2 space-y-1 text-sm">
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.path} ${fault.message}`}>
            <button
              type="button"
              className="anywhere w-full rounded-sm px-1 py-1 text-left hover:bg-panel"
              onClick={() => onFault(fault)}
            >
              <span className="font-medium tabular-nums">Line {fault.line}</span>
              {whereOf(fault, templates)}: {fault.message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whereOf({ path }: Fault, { templates }: Templates): string {
  const { template, stage, field } = placeOfFault(path);
  const known = template === undefined ? undefined : templates[template];
  const named = stage === undefined ? undefined : known?.stages[stage]?.id;
  return [named ?? known?.id, field]
    .filter((part) => part !== undefined && part !== "")
    .map((part) => `, ${part}`)
    .join("");
}
