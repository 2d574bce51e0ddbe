import { sql } from "drizzle-orm";
import { type AnyPgColumn, customType, index, text } from "drizzle-orm/pg-core";
import { lookUpByOwner, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";

type WordColumn = "taskTitle" | "sourceTaskId" | "name" | "templateId" | "pipelineId";

/**
 * What a pipeline is found by (ADR 0056): words of its task's title and id, of its own name and its template's, and its own
 * id in one. Cut, for a word of two thousand bytes would make the insert fail. signalbox.keep_pipeline_words and
 * signalbox.search_pipelines say the same expression; signalbox.pipeline_query takes apart what somebody looks for in the same
 * way.
 */
export const wordsOf = (table: Record<WordColumn, AnyPgColumn>) =>
  sql`array_to_tsvector(array_append(array_remove(string_to_array(regexp_replace(lower(left(coalesce(${table.taskTitle}, ''), 500) || ' ' || left(coalesce(${table.sourceTaskId}, ''), 500) || ' ' || left(${table.name}, 500) || ' ' || left(${table.templateId}, 500)), '[!-/:-@[-\\u0060{-~]', ' ', 'g'), ' '), ''), left(${table.pipelineId}, 500)))`;

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
