import type { DocumentKind } from "@signalbox/core";

export type { DocumentKind } from "@signalbox/core";

type KindWords = {
  readonly command: string;
  readonly noun: string;
  readonly path: string;
  readonly file: string;
};

export const kinds: { readonly [K in DocumentKind]: KindWords } = {
  "routing-policy": {
    command: "policy",
    noun: "routing policy",
    path: "/v1/routing-policies",
    file: "routing-policy.yaml",
  },
  "pipeline-templates": {
    command: "template",
    noun: "pipeline templates",
    path: "/v1/pipeline-templates",
    file: "pipeline-templates.yaml",
  },
};
