import { Link } from "@tanstack/react-router";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { cutMiddle } from "../ui/cut-middle.ts";
import { Moment } from "../ui/moment.tsx";
import { Fact } from "../ui/panel.tsx";
import { Plate } from "../ui/plate.tsx";
import type { Pipeline } from "./pipeline-queries.ts";
import { shortStatus } from "./statuses.ts";

export function PipelineFacts({ pipeline }: { pipeline: Pipeline }) {
  const { nameOf } = usePeople();
  const { policy, submittedBy } = pipeline;
  const status = shortStatus(pipeline.status);
  const enderOf = ({ type, id }: NonNullable<Pipeline["end"]>["by"]) =>
    type === "orchestrator" ? "the orchestrator" : nameOf(id);
  return (
    <div className="grid gap-x-12 lg:grid-cols-2">
      <dl>
        <Fact name="Task">{pipeline.sourceTaskId ?? "none named"}</Fact>
        <Fact name="Template">
          <Template pipeline={pipeline} />
        </Fact>
        <Fact name="Submitted by">{nameOf(submittedBy.id)}</Fact>
        <Fact name="Trace">
          <span className="inline-flex flex-wrap items-center gap-2">
            <code className="font-mono text-xs" title={pipeline.trace.traceId}>
              {cutMiddle(pipeline.trace.traceId, 20)}
            </code>
            <CopyButton text={pipeline.trace.traceId} what="trace id" />
          </span>
        </Fact>
      </dl>
      <dl className="border-t border-rule/70 pt-3 lg:border-0 lg:pt-0">
        <Fact name="Begun">
          <Moment at={pipeline.startedAt} exact />
        </Fact>
        <Fact name={pipeline.endedAt === null ? "Deadline" : "Ended"}>
          <Clock pipeline={pipeline} />
        </Fact>
        {(status === "ABORTED" || status === "FAILED") && (
          <Fact name="By whom, and why">
            {pipeline.end !== null && <>{enderOf(pipeline.end.by)}, </>}
            <Link
              {...paths.audit({ eventType: `PIPELINE_${status}`, pipelineId: pipeline.pipelineId })}
              className="underline underline-offset-4"
            >
              on record
            </Link>
          </Fact>
        )}
        <Fact name="Retries">
          <Used of={policy.maxTotalRetries} used={pipeline.retriesUsed} />
        </Fact>
        <Fact name="Sent back">
          <Used of={policy.maxRejections} used={pipeline.rejectionsUsed} />
        </Fact>
      </dl>
    </div>
  );
}

/** The very version that it was started with, which stays to be read. */
function Template({ pipeline: { templateId, templateVersion } }: { pipeline: Pipeline }) {
  if (templateId === "") return <>none: one stage, sent as the policy says</>;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Link
        {...paths.template({ templateId, version: templateVersion })}
        className="font-mono underline underline-offset-4"
      >
        {templateId}
      </Link>
      <Plate>{templateVersion}</Plate>
    </span>
  );
}

const Used = ({ used, of }: { used: number; of: number }) => (
  <span className="tabular-nums">
    {used} of {of}
  </span>
);

/** D13: the clock runs on, and stops while the pipeline is paused. */
function Clock({ pipeline: { endedAt, deadlineAt, pause, policy } }: { pipeline: Pipeline }) {
  if (endedAt !== null) return <Moment at={endedAt} exact />;
  if (deadlineAt !== null) return <Moment at={deadlineAt} exact />;
  if (pause !== null && policy.pipelineDeadline !== null)
    return (
      <>
        its clock is stopped, since <Moment at={pause.since} exact />
      </>
    );
  return <>none</>;
}
