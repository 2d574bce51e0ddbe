import { useState } from "react";
import { NoSuchTemplate } from "../no-such-template.tsx";
import { openingText } from "../opening-text.ts";
import { starterNames } from "../starters.ts";
import type { StoredDocument } from "../../documents/document-queries.ts";
import { EditPage } from "./edit-page.tsx";

type OpenEditorProps = {
  templateId: string;
  active: StoredDocument | null;
  base: StoredDocument | null;
  versions: readonly string[];
  starter?: string;
  from?: string;
};

/** What was read when the page was opened is what is edited, whatever is published meanwhile: publishing says so. */
export function OpenEditor({ templateId, active, base, versions, starter, from }: OpenEditorProps) {
  const known = starterNames.find((one) => one === starter);
  const [opened] = useState(() => openingText({ templateId, base, versions, starter: known }));
  if (opened === undefined) return <NoSuchTemplate templateId={templateId} version={from ?? "active"} />;
  const name =
    opened.draft?.version ?? `${templateId} from ${from ?? active?.version ?? "nothing"} ${starter ?? ""}`;
  return <EditPage templateId={templateId} active={active} name={name} {...opened} />;
}
