import { type SQL, sql } from "drizzle-orm";
import { errorCode } from "../connection-failure.ts";

/**
 * Fails the transaction where the condition does not hold, for COMMIT is on its way already (`commitWith`). SQL has no word
 * that refuses; a division by nothing does.
 */
export const demanded = (condition: SQL): SQL => sql`1 / (${condition})::int`;

export const isUnmetDemand = (error: unknown): boolean => errorCode(error) === "22012";
