import { sql } from "drizzle-orm";
import { connectionOf, type Database } from "../database.ts";
import { recordset } from "./recordset.ts";

export interface CredentialHash {
  kind: "key" | "session";
  /** SHA-256. */
  hash: Uint8Array;
}

export interface CredentialStanding {
  tenantId: string;
  role: string;
}

/**
 * How all of these stand now, in their order; undefined for one that counts no longer. One statement, however many there
 * are: it asks the same two look-ups that a request asks of one.
 */
export async function credentialStandings(
  database: Database,
  credentials: readonly CredentialHash[],
): Promise<(CredentialStanding | undefined)[]> {
  if (credentials.length === 0) {
    return [];
  }
  const rows = credentials.map(({ kind, hash }, place) => ({
    place,
    kind,
    hash: Buffer.from(hash).toString("hex"),
  }));
  const found = await connectionOf(database).read(sql`
    select given.place, found.tenant_id, found.role
    from ${recordset(rows, { place: "int", kind: "text", hash: "text" })}
    cross join lateral (
      select tenant_id, role, status from signalbox.find_session_by_hash(decode(given.hash, 'hex')) where given.kind = 'session'
      union all
      select tenant_id, role, status from signalbox.find_key_by_hash(decode(given.hash, 'hex')) where given.kind = 'key'
    ) as found
    where found.status = 'active'`);
  const byPlace = new Map(found.map((row) => [Number(row["place"]), row]));
  return credentials.map((_credential, place) => {
    const row = byPlace.get(place);
    return row && { tenantId: String(row["tenant_id"]), role: String(row["role"]) };
  });
}
