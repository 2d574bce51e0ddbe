import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { Fact } from "../ui/panel.tsx";
import { NameList } from "../ui/plate.tsx";
import { Signal } from "../ui/signal.tsx";
import { isObject, type Json, objectIn, plainText, type Snapshot, wordsOfName } from "./payload.ts";

/** The facts of the moment, in the words of the contract; what the gate found stands as its signals. */
export function SnapshotFacts({ snapshot: { kind, facts } }: { snapshot: Snapshot }) {
  const { checks, ...others } = facts;
  return (
    <div className="grid gap-6">
      {kind === "gate" && Array.isArray(checks) && <GateChecks checks={checks} />}
      <dl>
        {Object.entries(kind === "gate" ? others : facts).map(([name, value]) => (
          <Fact key={name} name={wordsOfName(name)}>
            {name === "templateVersion" ? (
              <TemplateLink templateId={textOf(facts["templateId"])} version={textOf(value)} />
            ) : (
              <Value name={name} value={value} />
            )}
          </Fact>
        ))}
      </dl>
    </div>
  );
}

/** A pipeline without a template has neither: its one stage was made of the task type. */
function TemplateLink({ templateId, version }: { templateId: string; version: string }) {
  if (templateId === "" || version === "") return <span className="text-ink-soft">nothing</span>;
  return (
    <Link
      {...paths.template({ templateId, version })}
      className="font-mono text-xs underline underline-offset-4"
    >
      {version}
    </Link>
  );
}

function GateChecks({ checks }: { checks: readonly Json[] }) {
  return (
    <ul aria-label="Checks of the gate" className="board divide-y divide-rule/70">
      {checks.filter(isObject).map(({ gateName, passed, evidence }) => (
        <li
          key={textOf(gateName)}
          className="grid gap-x-6 gap-y-1 px-5 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]"
        >
          <Signal
            size="small"
            aspect={passed === true ? "clear" : "danger"}
            word={`${textOf(gateName)} ${passed === true ? "passed" : "failed"}`}
          />
          <span className="anywhere text-sm text-ink-soft">{textOf(evidence)}</span>
        </li>
      ))}
    </ul>
  );
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** What a name refers to is a link where there is a page of it. */
function Value({ name, value }: { name: string; value: Json }): ReactNode {
  if (value === null || value === "") return <span className="text-ink-soft">nothing</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return <span className="tabular-nums">{value}</span>;
  if (typeof value === "string") return <Text name={name} text={value} />;
  if (Array.isArray(value)) return <List name={name} values={value} />;
  return (
    <dl className="rounded-sm border border-rule px-4 py-3">
      {Object.entries(value).map(([inner, one]) => (
        <Fact key={inner} name={wordsOfName(inner)}>
          <Value name={inner} value={one} />
        </Fact>
      ))}
    </dl>
  );
}

const namesPack = new Set(["packId", "selectedPackId", "candidatePackIds"]);

function Text({ name, text }: { name: string; text: string }) {
  // Why each candidate was taken or not is kept as JSON within the text.
  const within = name === "rejectionReasons" ? objectIn(text) : undefined;
  if (within !== undefined) return <Value name={name} value={within} />;
  if (namesPack.has(name)) return <PackLink packId={text} />;
  if (name === "routingPolicyVersion")
    return (
      <Link {...paths.policy(text)} className="font-mono text-xs underline underline-offset-4">
        {text}
      </Link>
    );
  if (name === "resolvedBy") return <Who id={text} />;
  if (name === "escalationId") return <EscalationLink escalationId={text} />;
  return <span className="whitespace-pre-wrap">{plainText(text)}</span>;
}

function Who({ id }: { id: string }) {
  const { nameOf } = usePeople();
  return (
    <>
      {nameOf(id)}
      {nameOf(id) !== id && <code className="ml-3 font-mono text-xs text-ink-soft">{id}</code>}
    </>
  );
}

const EscalationLink = ({ escalationId }: { escalationId: string }) => (
  <Link {...paths.escalation(escalationId)} className="font-mono text-xs underline underline-offset-4">
    {escalationId}
  </Link>
);

function List({ name, values }: { name: string; values: readonly Json[] }) {
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length === values.length && !namesPack.has(name))
    return <NameList items={[...new Set(texts)]} none="none" />;
  return (
    <ul className="grid gap-2">
      {values.map((value, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an entry never changes, and its values have no names
        <li key={index}>
          <Value name={name} value={value} />
        </li>
      ))}
    </ul>
  );
}

const PackLink = ({ packId }: { packId: string }) => (
  <Link {...paths.packs({ q: packId })} className="font-mono text-xs underline underline-offset-4">
    {packId}
  </Link>
);
