import { Link } from "@tanstack/react-router";
import type { StoredDocument } from "../documents/document-queries.ts";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { Plate } from "../ui/plate.tsx";
import { outlineOf } from "./policy-outline.ts";
import { RouteLines } from "./route-lines.tsx";

export function ActivePolicy({
  document: { version, text, publishedAt, publishedBy, note },
}: {
  document: StoredDocument;
}) {
  const { nameOf } = usePeople();
  const outline = outlineOf(text);
  return (
    <Panel
      heading="In force"
      aside={
        <Link {...paths.policy(version)}>
          <Plate>{version}</Plate>
        </Link>
      }
    >
      <div className="grid gap-4">
        <p className="anywhere text-sm text-ink-soft">
          Published {publishedAt !== null && <Moment at={publishedAt} exact />} by{" "}
          {publishedBy === null ? "nobody known" : nameOf(publishedBy)}
        </p>
        {note !== "" && <p className="anywhere text-sm text-ink-soft">The note of this version: “{note}”</p>}
        {outline === undefined ? (
          <p className="text-sm">Its text is read by another release of Signalbox than this page.</p>
        ) : (
          <RouteLines outline={outline} />
        )}
      </div>
    </Panel>
  );
}
