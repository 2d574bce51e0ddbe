import { useQuery } from "@tanstack/react-query";
import { Panel } from "../ui/panel.tsx";
import type { Attempt, AttemptSummary } from "./attempt-queries.ts";
import { oneAttempt } from "./attempt-queries.ts";
import { fieldsOf } from "./json-fields.ts";
import { type Change, diffKeys, type KeyChange } from "./key-diff.ts";
import { Marked } from "./marked.tsx";

/** What travelled with the envelope. */
const contextIn = (envelope: unknown) => {
  const { inputs, contextIn: given } = fieldsOf(envelope);
  return { ...fieldsOf(given), ...(inputs === undefined ? {} : { inputs }) };
};

/** What the result hands on. */
const contextOut = (result: unknown) => {
  const { contextOut: given, response } = fieldsOf(result);
  const { data } = fieldsOf(response);
  return { ...fieldsOf(given), ...(data === undefined ? {} : { data }) };
};

/** What the agent was told beyond its contract, what of it was new, and what it handed on. */
export function ContextPanel({ attempt, before }: { attempt: Attempt; before: AttemptSummary | undefined }) {
  const earlier = useQuery({ ...oneAttempt(before?.dispatchId ?? ""), enabled: before !== undefined });
  const told = contextIn(attempt.envelope);
  return (
    <>
      <Panel heading="Context in">
        {before !== undefined && earlier.data !== undefined ? (
          <KeyTable
            caption={`Context that came in, against attempt ${before.attemptNumber}`}
            changes={diffKeys(contextIn(earlier.data.envelope), told)}
            none="Nothing came with the envelope beyond its contract."
            compared
          />
        ) : (
          <KeyTable
            caption="Context that came in"
            changes={diffKeys({}, told)}
            none="Nothing came with the envelope beyond its contract."
          />
        )}
      </Panel>
      <Panel heading="Context out">
        <KeyTable
          caption="Context that the result hands on"
          changes={diffKeys({}, contextOut(attempt.result))}
          none={attempt.result === null ? "No result has come." : "The result hands nothing on."}
        />
      </Panel>
    </>
  );
}

const signs: Record<Change, string> = { same: "", added: "+", removed: "−", changed: "±" };
const words: Record<Change, string> = {
  same: "as before",
  added: "new",
  removed: "gone",
  changed: "changed",
};

function KeyTable({
  caption,
  changes,
  none,
  compared = false,
}: {
  caption: string;
  changes: readonly KeyChange[];
  none: string;
  compared?: boolean;
}) {
  if (changes.length === 0) return <p className="text-sm text-ink-soft">{none}</p>;
  return (
    <table className="board key-table text-left text-sm">
      <caption className="text-left text-sm text-ink-soft">{caption}</caption>
      <colgroup>
        <col />
        <col />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, change, before, after }) => (
          <tr key={path}>
            <th
              scope="row"
              className="anywhere border-b border-rule/70 px-4 py-2 align-top font-mono text-xs font-medium"
            >
              {compared && (
                <span className="sign" title={words[change]}>
                  <span aria-hidden="true">{signs[change]}</span>
                  <span className="sr-only">{words[change]}: </span>
                </span>
              )}
              {path}
            </th>
            <td
              data-change={change}
              className="anywhere border-b border-rule/70 px-4 py-2 align-top whitespace-pre-wrap"
            >
              {change === "changed" && (
                <p data-change="removed">
                  <Marked text={shown(before)} />
                </p>
              )}
              <Marked text={shown(change === "removed" ? before : after)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
