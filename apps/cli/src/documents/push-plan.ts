import type { StoredDocument } from "./answers.ts";

/** What pushing a text does, decided on what is stored now. */
export type PushPlan =
  | { readonly kind: "refused"; readonly why: string; readonly hint: string }
  | {
      readonly kind: "planned";
      readonly draft: "create" | "edit" | "nothing";
      /** The edit that is changed, where one is. */
      readonly edit: number;
      readonly publish: boolean;
      /** The version that is active now and goes; null where there is none. */
      readonly replaces: string | null;
      readonly stored: StoredDocument | undefined;
      /** Whether anything will be another afterwards. */
      readonly changes: boolean;
    };

type Seen = {
  readonly stored: StoredDocument | undefined;
  readonly active: StoredDocument | undefined;
  readonly text: string;
  readonly publish: boolean | undefined;
  readonly edit: number | undefined;
};

export function decidePush({ stored, active, text, publish = false, edit }: Seen): PushPlan {
  const replaces = active?.version ?? null;
  if (edit !== undefined && stored !== undefined && stored.text !== text && stored.edit !== edit) {
    return {
      kind: "refused",
      why: `was changed since edit ${edit} was pulled; it is at edit ${stored.edit} now.`,
      hint: "Pull it again, and bring your changes in.",
    };
  }
  if (stored === undefined || (stored.status === "draft" && stored.text !== text)) {
    const draft = stored === undefined ? "create" : "edit";
    return { kind: "planned", draft, edit: stored?.edit ?? 0, publish, replaces, stored, changes: true };
  }
  if (stored.text !== text) {
    const published = stored.status === "active" ? "is published" : "was published";
    return {
      kind: "refused",
      why: `${published} with another text, and what was published never changes.`,
      hint: "Give the text a new version.",
    };
  }
  const goesLive = publish && stored.status !== "active";
  return {
    kind: "planned",
    draft: "nothing",
    edit: stored.edit,
    publish: goesLive,
    replaces,
    stored,
    changes: goesLive,
  };
}
