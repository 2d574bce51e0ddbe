import type { ActivitySearch } from "./activity/activity-queries.ts";
import { linkOptions } from "@tanstack/react-router";
import type { AuditFilter } from "./audit/audit-filter.ts";
import type { InboxFilter } from "./escalations/inbox-filters.ts";
import type { AttemptSearch } from "./attempts/attempt-search.ts";
import type { TraceSearch } from "./attempts/trace-search.ts";
import type { LearningSearch } from "./learning/learning-search.ts";
import type { FilterStatus, Since } from "./pipelines/filter.ts";

/**
 * Every URL of the SPA comes from here, and `paths.test.ts` pins each: a bookmark and a link in somebody's
 * runbook outlive any rename in the code.
 */
export const paths = {
  overview: () => linkOptions({ to: "/" }),
  packs: (filter: { q?: string } = {}) => linkOptions({ to: "/packs", search: filter }),
  pack: ({ packId, packVersion }: PackVersion, view?: PackPage) =>
    linkOptions({
      to: "/packs/$packId/versions/$packVersion",
      params: { packId, packVersion },
      search: view === undefined ? {} : { view },
    }),
  policies: () => linkOptions({ to: "/policies" }),
  policy: (version: string, view?: "difference") =>
    linkOptions({
      to: "/policies/$version",
      params: { version },
      search: view === undefined ? {} : { view },
    }),
  /** A draft by its version, or a new one that begins as another version. */
  policyEditor: (search: { version?: string; from?: string } = {}) =>
    linkOptions({ to: "/policies/edit", search }),
  templates: (shown: { version?: string } = {}) => linkOptions({ to: "/templates", search: shown }),
  /** The very version that a pipeline was started with, among others. */
  template: ({ templateId, version }: TemplateVersion, view: "graph" | "yaml" | "diff" = "graph") =>
    linkOptions({
      to: "/templates/$templateId/versions/$version",
      params: { templateId, version },
      search: view === "graph" ? {} : { view },
    }),
  editTemplate: (
    templateId: string,
    begin: { from?: string; starter?: "single" | "review" | "branches" } = {},
  ) => linkOptions({ to: "/templates/$templateId/edit", params: { templateId }, search: begin }),
  audit: (filter: AuditFilter = {}) => linkOptions({ to: "/audit", search: filter }),
  auditEntry: (entryId: string) => linkOptions({ to: "/audit/$entryId", params: { entryId } }),
  escalations: (filter: InboxFilter = {}) => linkOptions({ to: "/escalations", search: filter }),
  escalation: (escalationId: string) =>
    linkOptions({ to: "/escalations/$escalationId", params: { escalationId } }),
  instances: (packId?: string) =>
    linkOptions({ to: "/instances", search: packId === undefined ? {} : { pack: packId } }),
  alerts: () => linkOptions({ to: "/alerts" }),
  activity: (search: ActivitySearch = {}) => linkOptions({ to: "/alerts/metrics", search }),
  learning: (shown: LearningSearch = {}) => linkOptions({ to: "/learning", search: shown }),
  proposal: (proposalId: string) => linkOptions({ to: "/learning/$proposalId", params: { proposalId } }),
  /** One pipeline's attempts, and of one of them what is named. */
  attempts: (pipelineId: string, search: AttemptSearch = {}) =>
    linkOptions({ to: "/pipelines/$pipelineId/attempts", params: { pipelineId }, search }),
  trace: (pipelineId: string, search: TraceSearch = {}) =>
    linkOptions({ to: "/pipelines/$pipelineId/trace", params: { pipelineId }, search }),
  artifacts: (pipelineId: string) =>
    linkOptions({ to: "/pipelines/$pipelineId/artifacts", params: { pipelineId } }),
  pipelines: (filter: PipelineFilter = {}) => linkOptions({ to: "/pipelines", search: filter }),
  submitTask: (view?: "json") =>
    linkOptions({ to: "/pipelines/submit", search: view === undefined ? {} : { view } }),
  pipeline: (pipelineId: string) => linkOptions({ to: "/pipelines/$pipelineId", params: { pipelineId } }),
  settings: () => linkOptions({ to: "/settings" }),
  members: () => linkOptions({ to: "/settings/members" }),
  keys: () => linkOptions({ to: "/settings/keys" }),
  redaction: () => linkOptions({ to: "/settings/redaction" }),
  retention: () => linkOptions({ to: "/settings/retention" }),
  gates: () => linkOptions({ to: "/settings/gates" }),
  /** Where somebody without a way back of their own gets one. */
  setUp: () => linkOptions({ to: "/set-up" }),
  signIn: (next?: string) =>
    linkOptions({ to: "/sign-in", search: next === undefined || next === "/" ? {} : { next } }),
};

export type TemplateVersion = { templateId: string; version: string };
export type PackPage = "json" | "connect";
export type PipelineFilter = { status?: FilterStatus; pack?: string; q?: string; since?: Since };
export type PackVersion = { packId: string; packVersion: string };

/** What the SPA asks the server for, apart from tRPC's own procedures below `/trpc`. */
export const endpoints = {
  session: "/v1/session",
  account: "/v1/account",
  oidc: (wanted: { next: string | undefined; tenantId: string | undefined }) => {
    const given = Object.entries(wanted).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const query = new URLSearchParams(given).toString();
    return query === "" ? "/v1/session/oidc" : `/v1/session/oidc?${query}`;
  },
  packs: "/v1/packs",
  pack: ({ packId, packVersion }: PackVersion) =>
    `/v1/packs/${encodeURIComponent(packId)}/versions/${encodeURIComponent(packVersion)}`,
  auditExport: (asked: AuditFilter & { format: string; cursor?: string }) =>
    `/v1/audit/export?${new URLSearchParams(asked).toString()}`,
  heartbeats: "/v1/heartbeats",
  trpc: "/trpc",
  socket: (origin: string) => `${origin.replace(/^http/, "ws")}/trpc`,
  stream: (origin: string) => `${origin.replace(/^http/, "ws")}/v1/stream`,
};
