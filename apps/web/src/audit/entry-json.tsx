import { CodeBlock } from "../ui/code-block.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Panel } from "../ui/panel.tsx";
import type { AuditEntry } from "./audit-queries.ts";
import type { Change } from "./payload.ts";

/** Laid out to be read; what is copied as recorded is the very text that the fingerprint is taken of. */
export function EntryJson({
  entry: { auditId, payload },
  changes,
}: {
  entry: AuditEntry;
  changes: readonly Change[];
}) {
  return (
    <>
      {changes.length > 0 && (
        <Panel heading="What it changed">
          <ul className="board divide-y divide-rule/70">
            {changes.map(({ kind, subjectId, set }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- an entry never changes, and several may be alike
              <li key={index} className="grid gap-1 px-5 py-3 text-sm">
                <span className="font-medium">
                  {kind} {subjectId !== "" && <span className="font-mono text-xs">{subjectId}</span>}
                </span>
                <code className="clamped-3 font-mono text-xs text-ink-soft">{JSON.stringify(set)}</code>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel heading="JSON" aside={<CopyButton text={payload} what={`entry ${auditId} as recorded`} />}>
        <details>
          <summary className="min-h-9 content-center text-sm font-medium">Show it</summary>
          <div className="mt-3">
            <CodeBlock what="the payload, laid out" code={JSON.stringify(JSON.parse(payload), null, 2)} />
          </div>
        </details>
      </Panel>
    </>
  );
}
