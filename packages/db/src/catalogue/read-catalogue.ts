import { sql } from "drizzle-orm";
import type { Connection } from "../connection.ts";

export interface CatalogueTable {
  name: string;
  /** The partitioned table that it is a part of. */
  parent: string | null;
  kind: "partitioned table" | "table" | "view" | "other";
  owner: string;
  hasTenant: boolean;
  tenantIsNullable: boolean;
  rowSecurity: boolean;
  forced: boolean;
  policies: {
    name: string;
    roles: string;
    command: string;
    permissive: boolean;
    using: string;
    check: string;
  }[];
  /** `SELECT`, `INSERT(column)`, … of everybody but the owner, as `grantee: right`. */
  rights: string[];
  indexes: { name: string; firstColumn: string }[];
  /** Columns of each foreign key. */
  foreignKeys: { name: string; columns: string[] }[];
  triggers: { when: string; enabled: boolean }[];
}

export interface CatalogueFunction {
  name: string;
  owner: string;
  definer: boolean;
  searchPath: string;
  grantees: string[];
}

export interface Catalogue {
  tables: CatalogueTable[];
  functions: CatalogueFunction[];
  schemas: { name: string; owner: string; rights: string[] }[];
  roles: { name: string; powers: string[]; memberOf: string[] }[];
}

const SCHEMAS = sql.raw(`('signalbox', 'signalbox_migrations')`);

/** What Postgres itself says stands in our schemas, partitions included. */
export async function readCatalogue(connection: Connection): Promise<Catalogue> {
  const read = async <T>(statement: ReturnType<typeof sql>): Promise<T[]> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each statement below builds the shape that it is read as
    (await connection.execute(statement)).map((row) => JSON.parse(String(row["found"])) as T);
  return {
    tables: await read<CatalogueTable>(TABLES),
    functions: await read<CatalogueFunction>(FUNCTIONS),
    schemas: await read<Catalogue["schemas"][number]>(SCHEMA_RIGHTS),
    roles: await read<Catalogue["roles"][number]>(ROLES),
  };
}

const NO_LIST = sql.raw(`'[]'::json`);

const TABLES = sql`
  select json_build_object(
    'name', s.nspname || '.' || c.relname,
    'parent', (select ps.nspname || '.' || p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent
               join pg_namespace ps on ps.oid = p.relnamespace where i.inhrelid = c.oid),
    'kind', case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view' else 'other' end,
    'owner', pg_get_userbyid(c.relowner),
    'hasTenant', t.attname is not null,
    'tenantIsNullable', not coalesce(t.attnotnull, true),
    'rowSecurity', c.relrowsecurity,
    'forced', c.relforcerowsecurity,
    'policies', coalesce((
      select json_agg(json_build_object(
        'name', p.polname,
        'roles', (select string_agg(case r when 0 then 'PUBLIC' else pg_get_userbyid(r)::text end, ',') from unnest(p.polroles) r),
        'command', p.polcmd, 'permissive', p.polpermissive,
        'using', coalesce(pg_get_expr(p.polqual, p.polrelid), ''),
        'check', coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '')))
      from pg_policy p where p.polrelid = c.oid), ${NO_LIST}),
    'rights', coalesce((
      select json_agg(g order by g) from (
        select case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee)::text end || ': ' || a.privilege_type
          || case when a.is_grantable then ' WITH GRANT OPTION' else '' end as g
        from aclexplode(c.relacl) a where a.grantee <> c.relowner
        union all
        select case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee)::text end || ': ' || a.privilege_type
          || '(' || col.attname || ')' || case when a.is_grantable then ' WITH GRANT OPTION' else '' end
        from pg_attribute col, aclexplode(col.attacl) a where col.attrelid = c.oid and a.grantee <> c.relowner) x), ${NO_LIST}),
    'indexes', coalesce((
      select json_agg(json_build_object('name', ic.relname, 'firstColumn', coalesce(ia.attname, '(expression)')))
      from pg_index i join pg_class ic on ic.oid = i.indexrelid
      left join pg_attribute ia on ia.attrelid = c.oid and ia.attnum = i.indkey[0] where i.indrelid = c.oid), ${NO_LIST}),
    'foreignKeys', coalesce((
      select json_agg(json_build_object('name', k.conname, 'columns',
        (select json_agg(ka.attname) from unnest(k.conkey) n join pg_attribute ka on ka.attrelid = c.oid and ka.attnum = n)))
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), ${NO_LIST}),
    'triggers', coalesce((
      select json_agg(json_build_object('enabled', g.tgenabled in ('O', 'A'), 'when', concat_ws(' ',
        case when g.tgtype & 2 > 0 then 'BEFORE' else 'AFTER' end,
        case when g.tgtype & 8 > 0 then 'DELETE' end,
        case when g.tgtype & 16 > 0 then 'UPDATE' end,
        case when g.tgtype & 32 > 0 then 'TRUNCATE' end,
        case when g.tgtype & 1 > 0 then 'ROW' else 'STATEMENT' end)))
      from pg_trigger g where g.tgrelid = c.oid and g.tgfoid = to_regprocedure('signalbox.refuse_change()')), ${NO_LIST})
  )::text as found
  from pg_class c join pg_namespace s on s.oid = c.relnamespace
  left join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
  where s.nspname in ${SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  order by 1`;

const FUNCTIONS = sql`
  select json_build_object(
    'name', s.nspname || '.' || f.proname || '(' || pg_get_function_identity_arguments(f.oid) || ')',
    'owner', pg_get_userbyid(f.proowner),
    'definer', f.prosecdef,
    'searchPath', coalesce((select substr(o, 13) from unnest(f.proconfig) o where o like 'search_path=%'), ''),
    'grantees', coalesce((
      select json_agg(case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee)::text end)
      from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a where a.grantee <> f.proowner), ${NO_LIST})
  )::text as found
  from pg_proc f join pg_namespace s on s.oid = f.pronamespace where s.nspname in ${SCHEMAS} order by 1`;

const SCHEMA_RIGHTS = sql`
  select json_build_object(
    'name', s.nspname, 'owner', pg_get_userbyid(s.nspowner),
    'rights', coalesce((
      select json_agg(case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee)::text end || ': ' || a.privilege_type)
      from aclexplode(s.nspacl) a where a.grantee <> s.nspowner), ${NO_LIST})
  )::text as found
  from pg_namespace s where s.nspname in ${SCHEMAS} order by 1`;

const ROLES = sql`
  select json_build_object(
    'name', r.rolname,
    'powers', array_remove(array[
      case when r.rolsuper then 'SUPERUSER' end, case when r.rolbypassrls then 'BYPASSRLS' end,
      case when r.rolcreaterole then 'CREATEROLE' end, case when r.rolcreatedb then 'CREATEDB' end,
      case when r.rolreplication then 'REPLICATION' end, case when r.rolcanlogin then 'LOGIN' end], null),
    'memberOf', coalesce((select json_agg(pg_get_userbyid(m.roleid)) from pg_auth_members m where m.member = r.oid), ${NO_LIST})
  )::text as found
  from pg_roles r where r.rolname in ('signalbox_app', 'signalbox_migrator', 'signalbox_owner') order by 1`;
