import { Link } from "@tanstack/react-router";
import { DocumentStatus } from "../documents/document-status.tsx";
import type { DocumentVersion } from "../documents/document-queries.ts";
import { PublishDialog } from "../documents/publish-dialog.tsx";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { Moment } from "../ui/moment.tsx";
import { Plate } from "../ui/plate.tsx";

const cell = "px-4 py-3 align-top text-sm first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6";
const fromMedium = "hidden md:table-cell";
const fromLarge = "hidden xl:table-cell";
const underlined = "font-medium underline decoration-track/50 underline-offset-4 hover:decoration-ink";

type VersionTableProps = {
  versions: readonly DocumentVersion[];
  active: string | null;
  /** Why this person may not publish; undefined where they may. */
  refusal: string | undefined;
  onRollBack: (version: string, note: string) => void;
};

export function VersionTable({ versions, ...actions }: VersionTableProps) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Versions of the routing policy, the newest first</caption>
      <thead>
        <tr className="border-b border-rule">
          {[
            ["Version", ""],
            ["State", ""],
            ["Published", fromMedium],
            ["Note", fromLarge],
          ].map(([name, shown]) => (
            <th key={name} scope="col" className={`${cell} ${shown} font-medium text-ink-soft`}>
              {name}
            </th>
          ))}
          <th scope="col" className={cell}>
            <span className="sr-only">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => (
          <VersionRow key={version.version} of={version} {...actions} />
        ))}
      </tbody>
    </table>
  );
}

function VersionRow({
  of,
  active,
  refusal,
  onRollBack,
}: Omit<VersionTableProps, "versions"> & { of: DocumentVersion }) {
  const { nameOf } = usePeople();
  const { version, status, note, createdAt, createdBy, publishedAt, publishedBy } = of;
  return (
    <tr className="border-b border-rule/70 last:border-b-0 hover:bg-recess/60">
      <th scope="row" className={`${cell} font-normal`}>
        <Link {...paths.policy(version)}>
          <Plate>{version}</Plate>
        </Link>
        {note !== "" && <p className="anywhere clamped-2 mt-1.5 text-ink-soft xl:hidden">{note}</p>}
      </th>
      <td className={cell}>
        <DocumentStatus status={status} />
      </td>
      <td className={`${cell} ${fromMedium} anywhere`}>
        {publishedAt === null ? (
          <>
            drafted <Moment at={createdAt} />
            <span className="block text-ink-soft">by {nameOf(createdBy)}</span>
          </>
        ) : (
          <>
            <Moment at={publishedAt} />
            <span className="block text-ink-soft">
              by {publishedBy === null ? "nobody known" : nameOf(publishedBy)}
            </span>
          </>
        )}
      </td>
      <td className={`${cell} ${fromLarge} anywhere`}>
        <span className="clamped-3">{note === "" ? <span className="text-ink-soft">none</span> : note}</span>
      </td>
      <td className={`${cell} text-right`}>
        {status === "draft" && (
          <Link {...paths.policyEditor({ version })} className={underlined}>
            Edit<span className="sr-only"> the draft {version}</span>
          </Link>
        )}
        {status === "retired" && (
          <PublishDialog
            action="Roll back"
            what={`to ${version}`}
            question={`Roll back to ${version}?`}
            unavailable={refusal}
            onConfirm={(said) => onRollBack(version, said)}
          >
            <p>
              {version} takes the place of {active ?? "nothing"} at once, for every dispatch from then on. It
              is judged anew first: packs may have changed. {active} stays in the list and can come back.
            </p>
          </PublishDialog>
        )}
      </td>
    </tr>
  );
}
