import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { entryProof, type Proof } from "./audit-queries.ts";

/** Checked whenever the page is opened, and again when somebody asks. */
export function ProofPanel({ auditId }: { auditId: string }) {
  const { data: proof, error, isFetching, refetch } = useQuery(entryProof(auditId));
  return (
    <Panel
      heading="Its proof"
      aside={
        <Button
          unavailable={isFetching ? "Reading the record…" : undefined}
          onClick={() => {
            void refetch();
          }}
        >
          Verify
        </Button>
      }
    >
      {error !== null && <ProblemNotice problem={problemOf(error)} />}
      {proof === undefined && error === null && (
        <output className="text-sm text-ink-soft">Reading the record of the pipeline…</output>
      )}
      {proof !== undefined && <Standing proof={proof} />}
    </Panel>
  );
}

function Standing({ proof: { fingerprint, unchained, chain } }: { proof: Proof }) {
  return (
    <div className="grid gap-6">
      <output className="block">
        {chain === null ? <Unchained why={unchained} /> : <Verdict chain={chain} />}
      </output>
      <dl>
        <Fact name="Fingerprint">
          <Digest what="fingerprint" digest={fingerprint} />
        </Fact>
        {chain !== null && (
          <>
            <Fact name="Digest up to here">
              <Digest what="digest up to here" digest={chain.digest} />
            </Fact>
            <Neighbour
              name="Previous"
              link={chain.previous}
              none="This is the first entry of its pipeline."
            />
            <Neighbour name="Next" link={chain.next} none="This is the last one so far." />
          </>
        )}
      </dl>
      <details className="text-sm">
        <summary className="min-h-9 content-center font-medium">
          What this shows, and what it does not
        </summary>
        <div className="mt-2 max-w-prose space-y-3 text-ink-soft">
          <p>
            The fingerprint is the SHA-256 of the entry’s line in an export. The digest is the SHA-256 of the
            digest before it and of that line, so that it stands for every entry of the pipeline up to here:
            note it down, and the same digest later says that none of them was altered. An export of the
            pipeline gives whoever has it the same digests, without Signalbox.
          </p>
          <p>
            To verify is to read the pipeline’s whole record: no revision is missing or there twice, and the
            entries, followed one after the other, give the very state that the pipeline has. That nobody who
            rules over the database wrote the record anew, state and all, only a digest that was noted down
            elsewhere shows.
          </p>
        </div>
      </details>
    </div>
  );
}

type Chain = NonNullable<Proof["chain"]>;

function Verdict({ chain: { entries, revision, faults } }: { chain: Chain }) {
  if (faults.length === 0) {
    return (
      <Notice aspect="clear" title="The chain holds">
        <p>
          This is revision {revision} of {entries}. None is missing, none is there twice, and followed one
          after the other they give the state that the pipeline has.
        </p>
      </Notice>
    );
  }
  return (
    <Notice aspect="danger" title="The chain does not hold">
      <ul className="space-y-1">
        {faults.map((fault) => (
          <li key={fault}>{fault.slice(0, 1).toUpperCase() + fault.slice(1)}.</li>
        ))}
      </ul>
    </Notice>
  );
}

const unchainedWords: Record<NonNullable<Proof["unchained"]>, { title: string; why: string }> = {
  "no-revision": {
    title: "It stands by itself",
    why: "No pipeline’s state is made of this entry, so that nothing before it and nothing after it rests on it. Its fingerprint tells whether it is the same later.",
  },
  removed: {
    title: "Its pipeline began in a month that is no longer on record",
    why: "That month was removed when its time was over, which is on record itself. The fingerprint tells whether this entry is the same later.",
  },
  "too-long": {
    title: "Its pipeline has too many entries to be read at once",
    why: "An export of the pipeline has them all, and gives the digests.",
  },
};

function Unchained({ why }: { why: Proof["unchained"] }) {
  const { title, why: text } = unchainedWords[why ?? "no-revision"];
  return (
    <Notice aspect="unlit" title={title}>
      <p>{text}</p>
    </Notice>
  );
}

function Digest({ digest, what }: { digest: string; what: string }) {
  return (
    <span className="flex flex-wrap items-center gap-3">
      <code className="anywhere font-mono text-xs">{digest}</code>
      <CopyButton text={digest} what={what} />
    </span>
  );
}

function Neighbour({ name, link, none }: { name: string; link: Chain["previous"]; none: ReactNode }) {
  return (
    <Fact name={name}>
      {link === null ? (
        none
      ) : (
        <>
          <Link {...paths.auditEntry(link.auditId)} className="underline underline-offset-4">
            Revision {link.revision}
          </Link>
          <code className="anywhere ml-3 font-mono text-xs text-ink-soft">{link.digest}</code>
        </>
      )}
    </Fact>
  );
}
