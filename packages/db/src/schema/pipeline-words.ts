import { sql } from "drizzle-orm";
import { type AnyPgColumn, customType, index, text } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

type WordColumn = "taskTitle" | "sourceTaskId" | "name" | "templateId" | "pipelineId";

/**
 * What a pipeline is found by (ADR 0056): its task's title and id, its own name and its template's, where a word begins with
 * what is typed; and its own id, by all of it or by eight characters. signalbox.search_pipelines says the same expression, of
 * which signalbox.keep_pipeline_words keeps the words. Cut, for a word of two thousand bytes would make the insert fail; and no
 * phrase reaches from one of the texts into the next.
 */
export const saysPhrases = (table: Record<WordColumn, AnyPgColumn>, typed: string) => {
  const patterns = sql`signalbox.pipeline_patterns(${typed}::text)`;
  const ownId = sql`lower(btrim(${typed}::text))`;
  return sql`(' ' || regexp_replace(lower(left(coalesce(${table.taskTitle}, ''), 500) || chr(10) || ' ' || left(coalesce(${table.sourceTaskId}, ''), 500) || chr(10) || ' ' || left(${table.name}, 500) || chr(10) || ' ' || left(${table.templateId}, 500)), '[ !-/:-@[-\\u0060{-~]+', ' ', 'g') LIKE ALL (${patterns}) OR ${table.pipelineId} = ${ownId} OR length(${ownId}) >= 8 AND starts_with(${table.pipelineId}, ${ownId}))`;
};

const tsvector = customType<{ data: string; driverData: string }>({ dataType: () => "tsvector" });

/**
 * One row a pipeline, that a trigger writes with it and nothing changes: on `pipelines` each change of a status or a deadline
 * wrote the index of words anew. It has no key, which would cost an insert as much again as the row and is never asked for.
 */
export const pipelineWords = signalbox.table(
  "pipeline_words",
  {
    tenantId: tenantId(),
    pipelineId: text("pipeline_id").notNull(),
    /** The pipeline's own. */
    createdAt: moment("created_at").notNull(),
    words: tsvector().notNull(),
  },
  (table) => [
    index("pipeline_words_by_words").using("gin", table.tenantId, table.words),
    tenantsIsolation(table.tenantId),
    lookUpByOwner(),
  ],
);
