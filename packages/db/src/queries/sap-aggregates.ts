import { sql } from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { readMoment } from "../schema/columns.ts";
import { recordset } from "./recordset.ts";

export interface SapAggregateKey {
  scope: string;
  capability: string;
  territory: string;
  fingerprint: string;
}

export interface StoredSapAggregate extends SapAggregateKey {
  aggregate: string;
  changedAt: Date;
}

const KEY = { scope: "text", capability: "text", territory: "text", fingerprint: "text" } as const;
const COLUMNS = sql`own.scope, own.capability, own.territory, own.fingerprint, own.aggregate,
  own.changed_at as "changedAt"`;

type Row = SapAggregateKey & { aggregate: string; changedAt: string } & Record<string, unknown>;
const aggregateOf = ({ changedAt, ...row }: Row): StoredSapAggregate => ({
  ...row,
  changedAt: readMoment(changedAt),
});

export async function findSapAggregates(
  tx: TenantTransaction,
  keys: readonly SapAggregateKey[],
): Promise<StoredSapAggregate[]> {
  if (keys.length === 0) {
    return [];
  }
  const found = await queriesOf(tx).execute<Row>(sql`
    select ${COLUMNS} from ${recordset(keys, KEY)}
    join signalbox.sap_aggregates own on own.tenant_id = ${tx.tenantId} and own.scope = given.scope
      and own.capability = given.capability and own.territory = given.territory
      and own.fingerprint = given.fingerprint`);
  return Array.from(found, aggregateOf);
}

export async function saveSapAggregates(
  tx: TenantTransaction,
  rows: readonly (SapAggregateKey & { aggregate: string })[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await queriesOf(tx).execute(sql`
    insert into signalbox.sap_aggregates (tenant_id, scope, capability, territory, fingerprint, aggregate)
    select ${tx.tenantId}, scope, capability, territory, fingerprint, aggregate
    from ${recordset(rows, KEY, ["aggregate"])}
    on conflict (tenant_id, scope, capability, territory, fingerprint)
    do update set aggregate = excluded.aggregate, changed_at = now()`);
}

export type SapAggregateCursor = Omit<SapAggregateKey, "scope">;

/** By their names, of one scope; within a capability and a territory where they are said. */
export async function listSapAggregates(
  tx: TenantTransaction,
  page: {
    scope: string;
    capability?: string | undefined;
    territory?: string | undefined;
    after?: SapAggregateCursor | undefined;
    limit: number;
  },
): Promise<StoredSapAggregate[]> {
  const { scope, capability, territory, after, limit } = page;
  const found = await queriesOf(tx).execute<Row>(sql`
    select ${COLUMNS} from signalbox.sap_aggregates own
    where own.tenant_id = ${tx.tenantId} and own.scope = ${scope}
      ${capability === undefined ? sql`` : sql`and own.capability = ${capability}`}
      ${territory === undefined ? sql`` : sql`and own.territory = ${territory}`}
      ${
        after === undefined
          ? sql``
          : sql`and (own.capability, own.territory, own.fingerprint) >
              (${after.capability}, ${after.territory}, ${after.fingerprint})`
      }
    order by own.capability, own.territory, own.fingerprint limit ${limit}`);
  return Array.from(found, aggregateOf);
}
