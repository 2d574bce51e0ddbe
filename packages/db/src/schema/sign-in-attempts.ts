import { integer } from "drizzle-orm/pg-core";
import { bytes, moment, signalbox } from "./columns.ts";

/**
 * How often somebody tried to sign in: from an address, to an account. No tenant's, for an address is nobody's and an
 * account that is tried need not exist; and only hashes of both, so that it tells nothing of either.
 */
export const signInAttempts = signalbox.table("sign_in_attempts", {
  bucket: bytes().primaryKey(),
  attempts: integer().notNull(),
  endsAt: moment("ends_at").notNull(),
});
