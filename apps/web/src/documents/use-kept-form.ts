import type { Caller } from "@signalbox/core";
import { useState } from "react";
import { type Texts, textsIn } from "./kept-texts.ts";
import { draftKey } from "./stored-draft.ts";
import { useDraftShelf } from "./use-draft-shelf.ts";

/** Whose form it is, for what, and for which of them. */
type Kept = { readonly session: Caller; readonly kind: string; readonly name?: string };

/**
 * A form that is found again as it was left, after a reload, another page, or a role that was taken away for a while: in
 * this tab, under the name of whoever wrote it, until it is sent or they sign out. Nobody looks for secrets in it before it is
 * sent: what asks for one, such as a password, is no form to keep.
 */
export function useKeptForm<Form extends Texts>(
  { session: { tenantId, actor }, kind, name = "new" }: Kept,
  empty: Form,
  read: (said: Texts) => Form,
) {
  const shelf = useDraftShelf(draftKey({ tenantId, actorId: actor.id }, kind, name));
  const [form, setForm] = useState(() =>
    shelf.found === undefined ? empty : read(textsIn(shelf.found.text)),
  );
  return {
    form,
    change: (next: Form) => {
      setForm(next);
      const base = { text: JSON.stringify(empty), stored: null };
      shelf.keep({ text: JSON.stringify(next), base }, false);
    },
    drop: shelf.drop,
    clear: (next = empty) => {
      setForm(next);
      shelf.drop();
    },
  };
}
