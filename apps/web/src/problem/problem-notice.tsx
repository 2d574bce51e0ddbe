import { type ReactNode, useEffect, useState } from "react";
import { onRecovery } from "../connection/connection-store.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Plate } from "../ui/plate.tsx";
import type { Problem } from "./problem.ts";

/** The request id is what finds the failure in the server's log, so it is there to be copied. */
export function ProblemNotice({ problem, children }: { problem: Problem; children?: ReactNode }) {
  const isBack = useBackSince(problem);
  if (isBack && problem.code === "UNREACHABLE") {
    return (
      <Notice aspect="unlit" title="Signalbox answers again">
        <p>What was asked of it meanwhile may not have been done: look, and ask again.</p>
        {children}
      </Notice>
    );
  }
  return (
    <Notice aspect="danger" title={problem.title}>
      {problem.detail !== "" && <p>{problem.detail}</p>}
      {problem.violations.length > 0 && (
        <ul className="space-y-1">
          {problem.violations.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code className="font-mono text-[0.9em] font-semibold">{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap items-center gap-2">
        <Plate>{problem.code}</Plate>
        {problem.requestId !== undefined && (
          <>
            <span>
              request <code className="font-mono text-xs">{problem.requestId}</code>
            </span>
            <CopyButton text={problem.requestId} what="request id" />
          </>
        )}
      </p>
      {children}
    </Notice>
  );
}

/** Whether the connection came back since the problem stands here: it is none of now any more. */
function useBackSince({ code, requestId }: Problem): boolean {
  const name = `${code} ${requestId}`;
  const [back, setBack] = useState<string>();
  useEffect(() => onRecovery(() => setBack(name)), [name]);
  return back === name;
}
