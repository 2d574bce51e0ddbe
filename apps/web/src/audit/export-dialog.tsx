import { useId, useRef, useState } from "react";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { Button } from "../ui/button.tsx";
import { sizeInWords } from "../ui/size.ts";
import { type AuditFilter, isNarrowed } from "./audit-filter.ts";
import {
  downloadExport,
  type Exported,
  type ExportFormat,
  exportFormats,
  fileNameOf,
  type Progress,
  save,
} from "./export-download.ts";

type Standing =
  | { is: "ready" }
  | { is: "running"; progress: Progress }
  | { is: "done"; exported: Exported; name: string }
  | { is: "cancelled" }
  | { is: "failed"; error: unknown };

const about: Record<ExportFormat, string> = {
  jsonl: "JSON, a line an entry: each payload byte for byte as it was recorded. For programs and proofs.",
  csv: "CSV: a table for spreadsheets, in which nothing that was said can act as a formula.",
};
const numbers = new Intl.NumberFormat();

export function ExportButton({ filter }: { filter: AuditFilter }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [format, setFormat] = useState<ExportFormat>("jsonl");
  const [standing, setStanding] = useState<Standing>({ is: "ready" });
  const running = useRef<AbortController>(undefined);

  async function run(cursor?: string): Promise<void> {
    const { signal } = (running.current = new AbortController());
    setStanding({ is: "running", progress: { bytes: 0, lines: 0 } });
    try {
      const exported = await downloadExport(filter, { format, cursor, signal }, (progress) =>
        setStanding({ is: "running", progress }),
      );
      const name = fileNameOf(format, new Date());
      save(exported.file, name);
      setStanding({ is: "done", exported, name });
    } catch (error) {
      setStanding(signal.aborted ? { is: "cancelled" } : { is: "failed", error });
    }
  }
  const close = () => dialog.current?.close();

  return (
    <>
      <Button
        onClick={() => {
          setStanding({ is: "ready" });
          dialog.current?.showModal();
        }}
      >
        Export…
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        onClose={() => running.current?.abort()}
        className="m-auto w-[calc(100%-2rem)] max-w-lg rounded-md border border-rule bg-panel p-6 text-ink backdrop:bg-black/50"
      >
        <h2 id={titleId} className="text-lg font-semibold">
          {isNarrowed(filter) ? "Export what was found" : "Export the whole record"}
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          The newest first, at most 100,000 entries at a time. That it was exported is itself on record.
        </p>
        <fieldset className="mt-5 grid gap-3" disabled={standing.is === "running"}>
          <legend className="sr-only">As what</legend>
          {exportFormats.map((one) => (
            <label key={one} className="flex items-start gap-3 text-sm">
              <input
                type="radio"
                name="format"
                value={one}
                checked={format === one}
                onChange={() => setFormat(one)}
                className="mt-1 accent-plate"
              />
              {about[one]}
            </label>
          ))}
        </fieldset>
        <div aria-live="polite" className="mt-5 text-sm">
          <Outcome standing={standing} />
        </div>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          {standing.is === "running" ? (
            <Button onClick={() => running.current?.abort()}>Cancel the export</Button>
          ) : (
            <>
              <Button onClick={close}>Close</Button>
              {standing.is === "done" && standing.exported.nextCursor !== undefined ? (
                <Button kind="main" onClick={() => void run(standing.exported.nextCursor)}>
                  Export what follows
                </Button>
              ) : (
                <Button kind="main" onClick={() => void run()}>
                  {standing.is === "ready" ? "Export" : "Export again"}
                </Button>
              )}
            </>
          )}
        </div>
      </dialog>
    </>
  );
}

function Outcome({ standing }: { standing: Standing }) {
  switch (standing.is) {
    case "ready":
      return null;
    case "running": {
      const { bytes, lines } = standing.progress;
      return (
        <p className="tabular-nums">
          {numbers.format(lines)} lines, {sizeInWords(bytes)} so far…
        </p>
      );
    }
    case "cancelled":
      return <p>Cancelled. Nothing was saved.</p>;
    case "failed":
      return <ProblemNotice problem={problemOf(standing.error)} />;
    case "done": {
      const { entries, file, nextCursor } = standing.exported;
      return (
        <p className="anywhere">
          {numbers.format(entries)} {entries === 1 ? "entry" : "entries"}, {sizeInWords(file.size)}, saved as{" "}
          <code className="font-mono text-xs">{standing.name}</code>.
          {nextCursor !== undefined && " There are older ones: they follow in another file."}
        </p>
      );
    }
  }
}
