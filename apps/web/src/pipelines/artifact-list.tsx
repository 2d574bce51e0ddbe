import { Link } from "@tanstack/react-router";
import { nameInWords } from "../attempts/attempt-words.ts";
import { paths } from "../paths.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Notice } from "../ui/notice.tsx";
import { artifactsOf } from "./artifact-history.ts";
import type { Pipeline } from "./pipeline-queries.ts";

/** What the stages' results say that they made and changed. The files themselves stay where the agents work. */
export function ArtifactList({ pipeline: { pipelineId, stages } }: { pipeline: Pipeline }) {
  const artifacts = artifactsOf(stages);
  if (artifacts.length === 0)
    return (
      <Notice aspect="unlit" title="No stage has handed on an artifact">
        <p>A result names the files that it made, changed or deleted. They appear here as stages end.</p>
      </Notice>
    );
  return (
    <ul aria-label="Artifacts" className="board divide-y divide-rule/70">
      {artifacts.map(({ path, said }) => (
        <li
          key={path}
          className="grid gap-x-6 gap-y-2 px-4 py-3 text-sm sm:px-6 lg:items-center lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
        >
          <code className="anywhere font-mono text-xs leading-5 font-semibold">{path}</code>
          <ol className="grid min-w-0 gap-1.5">
            {said.map(({ stageId, attemptNumber, action, digest }) => (
              <li key={stageId} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                <span className="anywhere">
                  {nameInWords(action, "ARTIFACT_ACTION_")} by{" "}
                  <Link
                    {...paths.attempts(pipelineId, {
                      stage: stageId,
                      attempt: String(attemptNumber),
                      view: "result",
                    })}
                    className="font-mono text-xs font-medium underline underline-offset-4"
                  >
                    {stageId}
                  </Link>
                </span>
                {digest !== "" && (
                  <span className="ml-auto inline-flex min-w-0 items-center gap-2 text-ink-soft">
                    <code className="font-mono text-xs" title={digest}>
                      {digest.slice(0, 15)}…
                    </code>
                    <CopyButton text={digest} what={`digest of ${path} after ${stageId}`} />
                  </span>
                )}
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
}
