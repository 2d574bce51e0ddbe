import type { AppRouter } from "@signalbox/api";
import { queryOptions } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";
import type { AuditFilter } from "./audit-filter.ts";

type Outputs = inferRouterOutputs<AppRouter>["audit"];
type AuditPage = Outputs["search"];
export type EntrySummary = AuditPage["entries"][number];
export type AuditEntry = Outputs["entry"];
export type Proof = Outputs["prove"];

export const pageLength = 100;

/** What came last. Asked again whenever something happens; what it brings is put before what is there. */
export const newestKey = (filter: AuditFilter) => ["audit", "newest", filter];
export const newestEntries = (filter: AuditFilter) =>
  queryOptions({
    queryKey: newestKey(filter),
    queryFn: ({ signal }) => client.audit.search.query({ ...filter, limit: pageLength }, { signal }),
  });

/** What comes after a cursor never changes: the record is only ever added to, at its other end. */
export const olderEntries = (filter: AuditFilter, cursor: string) =>
  queryOptions({
    queryKey: ["audit", "older", filter, cursor],
    queryFn: ({ signal }) => client.audit.search.query({ ...filter, limit: pageLength, cursor }, { signal }),
    staleTime: Infinity,
    // A page that was scrolled past is let go of, and asked for again: a list of any length takes the same room.
    gcTime: 60_000,
  });

export const auditEntry = (auditId: string) =>
  queryOptions({
    queryKey: ["audit", "entry", auditId],
    queryFn: ({ signal }) => client.audit.entry.query({ auditId }, { signal }),
    staleTime: Infinity,
  });

export const entryProof = (auditId: string) =>
  queryOptions({
    queryKey: ["audit", "proof", auditId],
    queryFn: ({ signal }) => client.audit.prove.query({ auditId }, { signal }),
  });
