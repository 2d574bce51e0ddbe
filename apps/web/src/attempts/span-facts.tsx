import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import type { Span } from "./attempt-queries.ts";
import { LongText } from "./marked.tsx";
import { attributeName, attributeText, spanInWords, statusInWords } from "./span-words.ts";
import { timeTaken } from "./time-taken.ts";

/** Everything that a span carries: its time, the nine correlation fields of A2A 5.1, and what was measured. */
export function SpanFacts({ pipelineId, span }: { pipelineId: string; span: Span }) {
  const { startedAt, endedAt } = span;
  const correlation = {
    Trace: span.traceId,
    Span: span.spanId,
    Parent: span.parentSpanId,
    Tenant: span.tenantId,
    Agent: span.agentId,
    Pipeline: span.pipelineId,
    Stage: span.stageId,
    Dispatch: span.dispatchId,
    Attempt: span.attemptNumber === 0 ? "" : String(span.attemptNumber),
  };
  return (
    <div className="span-facts grid gap-8">
      <Panel heading={spanInWords(span)}>
        <dl>
          <Fact name="Status">{statusInWords(span)}</Fact>
          <Fact name="Began">
            <Moment at={startedAt} exact />
          </Fact>
          <Fact name="Ended">{endedAt === null ? "not yet" : <Moment at={endedAt} exact />}</Fact>
          {endedAt !== null && (
            <Fact name="Took">
              {timeTaken(Date.parse(endedAt) - Date.parse(startedAt))}
              {span.name === "tool_call" && (
                <span className="block text-ink-soft">
                  from when Signalbox heard that it began to when it heard that it ended; the agent’s own
                  figure does not count the way here
                </span>
              )}
            </Fact>
          )}
          {Object.entries(span.attributes).map(([name, value]) =>
            name === "status" ? null : (
              <Fact key={name} name={attributeName(name)}>
                <LongText text={attributeText(name, value)} what={attributeName(name)} most={600} />
              </Fact>
            ),
          )}
        </dl>
        {span.attemptNumber > 0 && (
          <p className="mt-4 text-sm">
            <Link
              {...paths.attempts(pipelineId, { stage: span.stageId, attempt: String(span.attemptNumber) })}
              className="font-medium underline underline-offset-4"
            >
              Open attempt {span.attemptNumber} of {span.stageId}
            </Link>
          </p>
        )}
      </Panel>
      <Panel heading="Correlation" aside={<CopyButton text={span.spanId} what="span id" />}>
        <dl>
          {Object.entries(correlation).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value === "" ? (
                <span className="text-ink-soft">none</span>
              ) : (
                <span className="font-mono text-xs">{value}</span>
              )}
            </Fact>
          ))}
        </dl>
      </Panel>
    </div>
  );
}
