import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { connect, disconnect, setCondition } from "../edit-lines.ts";
import { setStageField } from "../edit-template.ts";
import { endOf, type Line, openTargets, type Stage, type Template } from "../template-graph.ts";
import { CommitField } from "./commit-field.tsx";
import type { Apply } from "./use-template-text.ts";

type WaysProps = { template: Template; stage: Stage; apply: Apply };

const ON_FAILURE = 'response.status == "failure"';
const ends = ["after success", "on failure", "when a condition holds"] as const;

/** What a stage waits for and leads to: all that a pointer does with ports, as a form. */
export function StageWays({ template, stage, apply }: WaysProps) {
  const before = template.lines.filter(({ to }) => to === stage.id);
  const behind = template.lines.filter(({ from }) => from === stage.id);
  return (
    <>
      <Panel heading="After">
        <div className="grid gap-4">
          {before.length === 0 && <p className="text-sm text-ink-soft">Nothing: it starts at once.</p>}
          <ul className="grid gap-3">
            {before.map((line) => (
              <Way key={line.from} template={template} line={line} other={line.from} apply={apply} />
            ))}
          </ul>
          {before.length > 1 && (
            <Select
              label="It starts"
              value={stage.join === "ANY" ? "after any of them" : "after all of them"}
              options={["after all of them", "after any of them"]}
              onValue={(to) =>
                apply(
                  (text) =>
                    setStageField(
                      text,
                      template.id,
                      stage.id,
                      ["join"],
                      to === "after any of them" ? "ANY" : undefined,
                    ),
                  `${stage.id} starts ${to}.`,
                )
              }
            />
          )}
        </div>
      </Panel>
      <Panel heading="Leads to">
        <div className="grid gap-4">
          {behind.length === 0 && <p className="text-sm text-ink-soft">Nothing: the pipeline ends here.</p>}
          <ul className="grid gap-5">
            {behind.map((line) => (
              <Way key={line.to} template={template} line={line} other={line.to} apply={apply} decides />
            ))}
          </ul>
          <Connect template={template} stage={stage} apply={apply} />
        </div>
      </Panel>
    </>
  );
}

type WayProps = { template: Template; line: Line; other: string; apply: Apply; decides?: boolean };

function Way({ template, line, other, apply, decides = false }: WayProps) {
  const { from, to } = line;
  const end = endOf(line);
  const [asking, setAsking] = useState(false);
  const condition = line.conditions[0] ?? "";
  const conditioned = (next: string | undefined, said: string) =>
    apply((text) => setCondition(text, template.id, { from, to, condition: next }), said);
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="anywhere font-mono text-sm font-semibold">{other}</span>
        <Button
          onClick={() => {
            apply(
              (text) => disconnect(text, template.id, from, to),
              `${to} does not follow ${from} any more.`,
            );
          }}
        >
          Disconnect<span className="sr-only"> {other}</span>
        </Button>
      </div>
      {decides ? (
        <>
          <Select
            label={`On to ${other}`}
            hidden
            value={asking || end === "condition" ? ends[2] : end === "failure" ? ends[1] : ends[0]}
            options={ends}
            onValue={(chosen) => {
              setAsking(chosen === ends[2]);
              if (chosen === ends[0]) conditioned(undefined, `${to} follows when ${from} succeeded.`);
              if (chosen === ends[1]) conditioned(ON_FAILURE, `${to} handles the failure of ${from}.`);
            }}
          />
          {(asking || end === "condition") && (
            <CommitField
              label={`Condition for ${other}`}
              value={condition}
              placeholder="response.data.score > 0.8"
              hint="CEL over response.status, response.data and result.outcome."
              onCommit={(typed) => {
                const reason = conditioned(typed, `${to} follows ${from} when ${typed}.`);
                if (reason === undefined) setAsking(false);
                return reason;
              }}
            />
          )}
        </>
      ) : (
        end !== "success" && (
          <p className="anywhere text-sm text-ink-soft">
            when <code className="font-mono text-xs">{line.conditions.join(" or ")}</code>
          </p>
        )
      )}
    </li>
  );
}

function Connect({ template, stage, apply }: WaysProps) {
  const open = openTargets(template, stage.id);
  if (open.length === 0) return null;
  return (
    <Select
      label="Lead on to"
      value="choose a stage"
      options={["choose a stage", ...open]}
      onValue={(to) => {
        if (to !== "choose a stage")
          apply((text) => connect(text, template.id, stage.id, to), `${to} follows ${stage.id}.`);
      }}
    />
  );
}
