import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { usePeople } from "../escalations/people.ts";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { type DocumentKind, versionPages } from "./document-queries.ts";

/** Beyond it, they are all in the list of versions. */
const MOST_NAMED = 3;

/** Who begins a new version is told of the drafts that there are: mostly one of them is what they meant to write in. */
export function OtherDrafts({ kind, open }: { kind: DocumentKind; open: (version: string) => LinkProps }) {
  const { data } = useInfiniteQuery(versionPages(kind));
  const { nameOf } = usePeople();
  const drafts = (data?.pages ?? [])
    .flatMap(({ versions }) => versions)
    .filter(({ status }) => status === "draft");
  if (drafts.length === 0) return null;
  return (
    <Notice
      aspect="unlit"
      title={drafts.length === 1 ? "There is a draft already" : `There are ${drafts.length} drafts already`}
    >
      <p>What is written here becomes another draft beside {drafts.length === 1 ? "it" : "them"}.</p>
      <ul className="space-y-1">
        {drafts.slice(0, MOST_NAMED).map(({ version, createdBy, createdAt }) => (
          <li key={version}>
            <Link {...open(version)} className="font-medium underline underline-offset-4">
              Open the draft {version}
            </Link>{" "}
            <span className="text-ink-soft">
              begun by {nameOf(createdBy)}, <Moment at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
