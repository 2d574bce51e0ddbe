import { useSuspenseQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { stretchesOf } from "./marked-text.ts";
import { redactionInForce, type Trial, type TrialKind, tryText } from "./redaction-queries.ts";

const kinds: Readonly<Record<TrialKind, string>> = {
  text: "a text, such as a line of a log",
  json: "JSON, judged by its fields",
  evidence: "the output of evidence",
  "shared-context": "the shared context of a task",
  rationale: "a reason on record",
};
const isKind = (text: string): text is TrialKind => Object.hasOwn(kinds, text);

/** The server's own redaction, by a command that keeps nothing. */
export function RedactionTrial() {
  const textId = useId();
  const kindId = useId();
  const [text, setText] = useState("");
  const [kind, setKind] = useState<TrialKind>("text");
  const trial = useOneAtATime({ mutationFn: () => tryText(kind, text), gcTime: 0 });
  const {
    form,
    submit,
    fault: faultAt,
  } = useFormFaults(trial.error, {
    text: { value: text, says: "The text is missing: some line that a secret might stand in." },
  });
  const fault = faultAt("text");
  return (
    <Panel heading="Try it">
      <form
        noValidate
        ref={form}
        className="grid gap-4"
        onSubmit={submit(() => {
          if (!trial.isPending) trial.mutate();
        })}
      >
        <div>
          <label htmlFor={textId} className="mb-1.5 block text-sm font-medium">
            A text as an agent, a tool or a person might give it
          </label>
          <textarea
            id={textId}
            value={text}
            rows={7}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? `${textId}-hint` : `${textId}-hint ${textId}-fault`}
            onChange={(event) => setText(event.target.value)}
            className="w-full rounded-sm border border-track/60 bg-panel p-3 font-mono text-xs leading-relaxed aria-invalid:border-danger-rule"
          />
          <p id={`${textId}-hint`} className="mt-1.5 text-sm text-ink-soft">
            It is sent to Signalbox to be judged, and neither stored, recorded nor logged. Use an example all
            the same.
          </p>
          {fault !== undefined && (
            <p id={`${textId}-fault`} role="alert" className="anywhere mt-1.5 text-sm">
              {fault}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-end gap-4">
          <div className="min-w-0 flex-1 basis-56">
            <label htmlFor={kindId} className="mb-1.5 block text-sm font-medium">
              Judge it as
            </label>
            <select
              id={kindId}
              value={kind}
              onChange={(event) => {
                if (isKind(event.target.value)) setKind(event.target.value);
              }}
              className="min-h-10 w-full rounded-sm border border-track/60 bg-panel px-3 text-sm"
            >
              {Object.entries(kinds).map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          </div>
          <SubmitButton>{trial.isPending ? "One moment…" : "Show what is masked"}</SubmitButton>
        </div>
      </form>
      <div aria-live="polite" className="mt-6 empty:hidden">
        {trial.error !== null && !isAllBeside(trial.error, ["text"]) && (
          <ProblemNotice problem={problemOf(trial.error)} />
        )}
        {trial.data !== undefined && <Outcome trial={trial.data} />}
      </div>
    </Panel>
  );
}

function Outcome({ trial: { text, marks } }: { trial: Trial }) {
  const { data } = useSuspenseQuery(redactionInForce());
  const described = new Map(data.rules.map(({ id, description }) => [id, description]));
  if (marks.length === 0)
    return <p className="text-sm">Nothing would be masked: it would be written as it stands.</p>;
  const masked = new Set(marks.map(({ rule }) => rule));
  return (
    <div className="grid gap-4">
      <pre
        aria-label="As it would be written"
        className="anywhere rounded-sm border border-rule bg-recess p-4 font-mono text-xs leading-relaxed whitespace-pre-wrap"
      >
        {stretchesOf(text, masked).map((stretch, index) =>
          stretch.rule === undefined ? (
            stretch.text
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- stretches have no names, and are made anew each time
            <mark key={index} title={described.get(stretch.rule)} className="bg-plate px-1 text-plate-ink">
              {stretch.text}
            </mark>
          ),
        )}
      </pre>
      <ul aria-label="What was masked" className="board divide-y divide-rule/70 text-sm">
        {marks.map(({ path, rule, count }) => (
          <li key={`${path} ${rule}`} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-3">
            <code className="font-mono text-xs font-semibold">{rule}</code>
            <span>{described.get(rule) ?? "A pattern of your own policy"}</span>
            <span className="text-ink-soft tabular-nums">
              {count === 1 ? "once" : `${count} times`}
              {path !== "" && (
                <>
                  {" "}
                  in <code className="anywhere font-mono text-xs">{path}</code>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
