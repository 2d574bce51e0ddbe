import { Link } from "@tanstack/react-router";
import { WithEscalations } from "../escalations/with-escalations.tsx";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Fact } from "../ui/panel.tsx";
import type { AuditFilter } from "./audit-filter.ts";
import type { AuditEntry } from "./audit-queries.ts";
import { reasonOf } from "./event-words.ts";

const actorWords: Record<string, string> = {
  HUMAN: "a person",
  AGENT: "an agent",
  SYSTEM: "a program",
  ORCHESTRATOR: "the orchestrator",
};

/** Who, when and why; each name leads to everything else that is on record of it. */
export function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { nameOf } = usePeople();
  const { actorType, actorId, recordedAt, pipelineId, stageId, attemptNumber } = entry;
  return (
    <dl>
      <Fact name="Why">
        <span className="whitespace-pre-wrap">
          <WithEscalations text={reasonOf(entry, nameOf) || "No reason was recorded."} />
        </span>
      </Fact>
      <Fact name="Who">
        {actorWords[actorType] ?? actorType}
        {actorId !== "" && (
          <>
            , <Found by={{ actor: actorId }} text={nameOf(actorId)} />
            {nameOf(actorId) !== actorId && (
              <code className="ml-3 font-mono text-xs text-ink-soft">{actorId}</code>
            )}
          </>
        )}
      </Fact>
      <Fact name="When">
        <Moment at={recordedAt} exact />
        <code className="ml-3 font-mono text-xs text-ink-soft">{recordedAt}</code>
      </Fact>
      {pipelineId !== null && (
        <Fact name="Pipeline">
          <Found by={{ pipelineId }} text={pipelineId} mono />
        </Fact>
      )}
      {stageId !== null && (
        <Fact name="Stage">
          <span className="font-mono text-xs">{stageId}</span>
          {attemptNumber !== null && attemptNumber > 0 && `, attempt ${attemptNumber}`}
        </Fact>
      )}
      {entry.dispatchId !== null && (
        <Fact name="Dispatch">
          <span className="font-mono text-xs">{entry.dispatchId}</span>
        </Fact>
      )}
      {entry.packId !== null && (
        <Fact name="Pack">
          <Link
            {...paths.packs({ q: entry.packId })}
            className="font-mono text-xs underline underline-offset-4"
          >
            {entry.packId}
          </Link>
        </Fact>
      )}
      {entry.traceId !== null && (
        <Fact name={pipelineId === null ? "Request" : "Trace"}>
          <Found by={{ traceId: entry.traceId }} text={entry.traceId} mono />
        </Fact>
      )}
      <Fact name="Entry">
        <span className="flex flex-wrap items-center gap-3">
          <span className="font-mono text-xs">{entry.auditId}</span>
          <CopyButton text={entry.auditId} what="entry id" />
        </span>
      </Fact>
    </dl>
  );
}

function Found({ by, text, mono = false }: { by: AuditFilter; text: string; mono?: boolean }) {
  return (
    <Link
      {...paths.audit(by)}
      title="Everything on record of it"
      className={`underline underline-offset-4 ${mono ? "font-mono text-xs" : ""}`}
    >
      {text}
    </Link>
  );
}
