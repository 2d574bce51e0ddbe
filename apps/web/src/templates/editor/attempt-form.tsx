import type { FieldPath, FieldValue } from "../edit-template.ts";
import { securityFlags } from "../gate-fields.ts";
import { type Fields, fieldsOf, listOf, type Stage } from "../template-graph.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { CommitField } from "./commit-field.tsx";

export type SetField = (path: FieldPath, value: FieldValue, said: string) => string | undefined;

/** How often a stage is tried, and what of an attempt calls a person. */
export function AttemptForm({ stage, handoff, set }: { stage: Stage; handoff: Fields; set: SetField }) {
  const { id } = stage;
  const watch = fieldsOf(stage.fields["confidence_watch"]);
  const escalation = fieldsOf(handoff["escalation"]);
  const flags = listOf(escalation["auto_escalate_on_security_flag"]).map(String);
  const retry = fieldsOf(handoff["retry"]);
  const flagged = (flag: string, to: boolean) => {
    const others = flags.filter((known) => !isNamed(flag)(known));
    const next = to ? [...others, flag] : others;
    set(
      ["handoff_policy", "escalation", "auto_escalate_on_security_flag"],
      next.length === 0 ? undefined : next,
      `Security flags of ${id}.`,
    );
  };
  return (
    <div className="grid gap-4">
      <CommitField
        label="Attempts at most"
        inputMode="numeric"
        value={textOf(retry["max_attempts"])}
        hint="The first counts; empty takes the default."
        onCommit={(typed) =>
          asNumber(typed, 0, 1_000, (to) =>
            set(["handoff_policy", "retry", "max_attempts"], to, `Attempts of ${id}.`),
          )
        }
      />
      <CommitField
        label="Wait before the second attempt"
        value={textOf(retry["initial_backoff"])}
        hint="Such as 30s; empty takes the default."
        onCommit={(typed) =>
          set(["handoff_policy", "retry", "initial_backoff"], typed.trim() || undefined, `Attempts of ${id}.`)
        }
      />
      <CommitField
        label="Ask a person below a confidence of"
        inputMode="decimal"
        value={textOf(watch["floor"])}
        hint="From 0 to 1; empty never asks."
        onCommit={(typed) =>
          asNumber(typed, 0, 1, (to) => set(["confidence_watch", "floor"], to, `Confidence watch of ${id}.`))
        }
      />
      <CommitField
        label="Ask a person when it falls by"
        inputMode="decimal"
        value={textOf(watch["fall_per_turn"])}
        hint="From turn to turn, over the last five; from 0 to 1."
        onCommit={(typed) =>
          asNumber(typed, 0, 1, (to) =>
            set(["confidence_watch", "fall_per_turn"], to, `Confidence watch of ${id}.`),
          )
        }
      />
      <div>
        {securityFlags.map((flag) => (
          <CheckBox
            key={flag}
            label={`Work that ${flag.replace("_", " ")} calls a person`}
            checked={flags.some(isNamed(flag))}
            onChecked={(to) => flagged(flag, to)}
          />
        ))}
        <CheckBox
          label="Ask for a structured answer (SACP)"
          checked={stage.fields["response_format"] === "json_standard"}
          onChecked={(to) => set(["response_format"], to ? "json_standard" : undefined, `Answer of ${id}.`)}
        />
      </div>
    </div>
  );
}

/** The gate takes a flag by its name in full or in short. */
const isNamed = (flag: string) => (known: string) => known === flag || `touches_${known}` === flag;

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

function asNumber(
  typed: string,
  least: number,
  most: number,
  set: (value: number | undefined) => string | undefined,
): string | undefined {
  if (typed.trim() === "") return set(undefined);
  const value = Number(typed.replace(",", "."));
  return value >= least && value <= most
    ? set(value)
    : `“${typed}” is not a number from ${least} to ${most}.`;
}
