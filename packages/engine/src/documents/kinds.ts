import type { Action, DocumentKind } from "@signalbox/core";

type DocumentAction = Extract<Action, `policy.${string}` | `template.${string}`>;

/** What a caller needs for each kind: the commands are the same, the rows of the permission table are not. */
export const documentActions: {
  readonly [K in DocumentKind]: Record<"read" | "draft" | "publish", DocumentAction>;
} = {
  "routing-policy": { read: "policy.read", draft: "policy.draft", publish: "policy.publish" },
  "pipeline-templates": { read: "template.read", draft: "template.draft", publish: "template.publish" },
};
