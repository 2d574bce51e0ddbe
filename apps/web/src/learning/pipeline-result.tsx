import { useQuery } from "@tanstack/react-query";
import { useFresh } from "../live/use-fresh.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { Signal } from "../ui/signal.tsx";
import { learningKey, resultOfPipeline } from "./learning-queries.ts";
import { statusSignal } from "./learning-words.ts";
import { RatingForm } from "./rating-form.tsx";
import { RatingList } from "./rating-list.tsx";

/** The Result of SAP V2.0 that a pipeline was started for, and what people say of it. */
export function PipelineResult({ pipelineId }: { pipelineId: string }) {
  const { data, error } = useQuery(resultOfPipeline(pipelineId));
  useFresh(`pipeline:${pipelineId}`, (message) =>
    message.type === "started" || message.kind === "sap.reported"
      ? [resultOfPipeline(pipelineId).queryKey]
      : [],
  );
  useFresh("tenant", (message) =>
    message.type === "event" && message.kind === "learning.rated" ? [learningKey] : [],
  );
  if (error !== null) return <ProblemNotice problem={problemOf(error)} />;
  if (data === undefined || data === null) return null;
  const { taskId, capability, territory, result, ratings } = data;
  const { constitutionalEvidence: evidence, output, error: failure } = result;
  return (
    <Panel heading="Result">
      <div className="grid gap-8 lg:grid-cols-2">
        <div className="min-w-0">
          <dl>
            <Fact name="Status">
              <Signal {...statusSignal(result.status)} size="small" />
            </Fact>
            <Fact name="Capability">
              {capability}
              {territory === null ? "" : ` in ${territory}`}
            </Fact>
            <Fact name="Alignment">{evidence.alignment}</Fact>
            {(evidence.policyChecks ?? []).map(({ principle = "", status = "", notes = "" }) => (
              <Fact key={principle} name={principle}>
                {status}
                {notes === "" ? "" : `: ${notes}`}
              </Fact>
            ))}
            {(evidence.violations ?? []).map(
              ({ principle = "", severity = "", evidence: found = "" }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- two may read alike, and none ever moves
                <Fact key={index} name={principle === "" ? "Violation" : `Violation of ${principle}`}>
                  {severity}
                  {found === "" ? "" : `: ${found}`}
                </Fact>
              ),
            )}
            {failure !== undefined && (
              <Fact name={failure.code ?? "Failure"}>{failure.message ?? "no reason given"}</Fact>
            )}
          </dl>
          {output !== undefined && (
            <details className="mt-4 min-w-0">
              <summary className="min-h-11 py-2 text-sm font-medium">What was answered</summary>
              <CodeBlock
                what="the output"
                code={typeof output === "string" ? output : JSON.stringify(output, null, 2)}
              />
            </details>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <RatingList ratings={ratings} />
          <RatingForm taskId={taskId} status={result.status} ratings={ratings} />
        </div>
      </div>
    </Panel>
  );
}
