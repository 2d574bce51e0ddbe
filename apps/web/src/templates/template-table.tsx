import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import type { Template } from "./template-graph.ts";

export function TemplateTable({ templates, version }: { templates: readonly Template[]; version: string }) {
  return (
    <ul className="board divide-y divide-rule/70">
      {templates.map(({ index, id, name, description, stages }) => (
        <li
          key={index}
          className="relative flex flex-wrap items-baseline gap-x-6 gap-y-1 px-4 py-4 hover:bg-recess sm:px-6"
        >
          <div className="min-w-0 flex-1 basis-60">
            <Link
              {...paths.template({ templateId: id, version })}
              className="anywhere font-mono text-sm font-semibold after:absolute after:inset-0"
            >
              {id}
            </Link>
            <p className="anywhere mt-0.5 text-sm">{name}</p>
            {description !== "" && <p className="anywhere mt-0.5 text-sm text-ink-soft">{description}</p>}
          </div>
          <p className="text-sm text-ink-soft tabular-nums">
            {stages.length} {stages.length === 1 ? "stage" : "stages"}
          </p>
        </li>
      ))}
    </ul>
  );
}
