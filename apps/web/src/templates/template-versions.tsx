import { Link } from "@tanstack/react-router";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { ShowMore } from "../settings/show-more.tsx";
import { Moment } from "../ui/moment.tsx";
import type { DocumentVersion } from "../documents/document-queries.ts";
import { DocumentStatus } from "../documents/document-status.tsx";

type Paged = Parameters<typeof ShowMore>[0]["pages"] & {
  data: { pages: readonly { versions: readonly DocumentVersion[] }[] };
};

/** The newest first; each opens as it was. */
export function TemplateVersions({ pages }: { pages: Paged }) {
  const { nameOf } = usePeople();
  const versions = pages.data.pages.flatMap((page) => page.versions);
  if (versions.length === 0) return <p className="text-sm text-ink-soft">There is no version yet.</p>;
  return (
    <>
      <ul className="board divide-y divide-rule/70">
        {versions.map(({ version, status, note, createdAt, createdBy, publishedAt, publishedBy }) => (
          <li
            key={version}
            className="relative flex flex-wrap items-baseline gap-x-6 gap-y-1 px-4 py-3 hover:bg-recess sm:px-6"
          >
            <Link
              {...paths.templates({ version })}
              className="font-mono text-sm font-semibold tabular-nums after:absolute after:inset-0"
            >
              {version}
            </Link>
            <span className="text-sm">
              <DocumentStatus status={status} />
            </span>
            <span className="anywhere flex-1 basis-40 text-sm text-ink-soft">{note}</span>
            <span className="text-sm text-ink-soft">
              {publishedAt === null ? "drafted " : "published "}
              <Moment at={publishedAt ?? createdAt} /> by {nameOf(publishedBy ?? createdBy)}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore count={versions.length} pages={pages} />
    </>
  );
}
