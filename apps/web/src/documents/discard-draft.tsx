import { ConfirmButton } from "../ui/confirm-button.tsx";
import type { DocumentKind, StoredDocument } from "./document-queries.ts";
import { useRefusal } from "./use-publish.ts";

type DiscardProps = {
  kind: DocumentKind;
  draft: Pick<StoredDocument, "version">;
  /** What else goes with it. */
  also?: string;
  onConfirm: () => void;
};

export function DiscardDraft({ kind, draft: { version }, also = "", onConfirm }: DiscardProps) {
  const mayNot = useRefusal(kind, "draft");
  return (
    <ConfirmButton
      action="Discard"
      what={`the draft ${version}`}
      question={`Discard the draft ${version}?`}
      unavailable={mayNot}
      onConfirm={onConfirm}
    >
      <p>
        It is removed for everybody{also}, and cannot be brought back. That it was drafted and discarded stays
        on record.
      </p>
    </ConfirmButton>
  );
}
