import { Notice } from "../../ui/notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { jsonPlaces, lineOf } from "./json-places.ts";

/** What is wrong with the text, each at its line, while it is written and after it was refused. */
export function JsonFaults({
  json,
  error,
  refused,
}: {
  json: string;
  error: unknown;
  refused: string | undefined;
}) {
  const places = jsonPlaces(json);
  if (places.fault !== undefined) {
    const { line, column } = places.fault;
    return (
      <Notice aspect="caution" title="This is not JSON yet">
        <p>
          Line {line}, column {column}.
        </p>
      </Notice>
    );
  }
  if (error === null || refused !== json) return null;
  const problem = problemOf(error);
  if (problem.violations.length === 0) return <ProblemNotice problem={problem} />;
  const faults = problem.violations
    .map((violation) => ({ ...violation, line: lineOf(places, violation.field) }))
    .toSorted((one, other) => one.line - other.line);
  return (
    <div role="alert">
      <Notice aspect="danger" title={problem.title}>
        <ul className="space-y-1">
          {faults.map(({ line, field, message }) => (
            <li key={`${field} ${message}`}>
              Line {line}: <code className="font-mono text-xs font-semibold">{field}</code> {message}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
