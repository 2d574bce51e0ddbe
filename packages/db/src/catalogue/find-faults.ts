import type { Catalogue, CatalogueFunction, CatalogueTable } from "./read-catalogue.ts";
import {
  APP_FUNCTIONS,
  APP_RIGHTS,
  APPEND_ONLY,
  BATCHED_TABLES,
  FORGOTTEN_IN_TIME,
  OWNER_LOOK_UPS,
  TENANTLESS_INDEXES,
  TENANTLESS_SEQUENCES,
  TENANTLESS_TABLES,
} from "./expected-rights.ts";

const OWNER = "signalbox_owner";
const SETTING = "NULLIF(current_setting('signalbox.tenant_id'::text, true), ''::text)";
const ONE_TENANT = `(tenant_id = ${SETTING})`;
const LISTED_TENANTS = `(tenant_id = ANY (( SELECT string_to_array(${SETTING}, ','::text) AS string_to_array)::text[]))`;

/** Everything in the catalogue that would let one tenant see another's rows, or anybody change the record. */
export function findFaults(catalogue: Catalogue): string[] {
  return [
    ...catalogue.tables.flatMap((table) => tableFaults(table).map((fault) => `${table.name}: ${fault}`)),
    ...missingTables(catalogue.tables),
    ...catalogue.functions.flatMap((found) =>
      functionFaults(found).map((fault) => `${found.name}: ${fault}`),
    ),
    ...schemaFaults(catalogue),
    ...roleFaults(catalogue),
  ];
}

function tableFaults(table: CatalogueTable): string[] {
  const faults = [...ownerFaults(table.owner), ...rightFaults(table)];
  if (table.kind !== "table" && table.kind !== "partitioned table") {
    // A view reads with its owner's rights, past row security; a sequence's numbers tell tenants of each other.
    return TENANTLESS_SEQUENCES.includes(table.name) ? faults : [...faults, "is neither a table nor listed"];
  }
  if (!table.hasTenant) {
    return table.name in TENANTLESS_TABLES
      ? faults
      : [...faults, "has no tenant_id and is not listed as tenantless"];
  }
  return [...faults, ...isolationFaults(table), ...keyFaults(table), ...appendOnlyFaults(table)];
}

function isolationFaults(table: CatalogueTable): string[] {
  const condition = BATCHED_TABLES.includes(table.parent ?? table.name) ? LISTED_TENANTS : ONE_TENANT;
  const isolation = table.policies.filter(
    (policy) =>
      policy.name === "tenant_isolation" &&
      policy.roles === "signalbox_app" &&
      policy.command === "*" &&
      policy.permissive &&
      policy.using === condition &&
      policy.check === condition,
  );
  const others = table.policies.filter(
    (policy) =>
      !isolation.includes(policy) &&
      !(
        policy.name === "look_up_by_owner" &&
        policy.roles === OWNER &&
        policy.command === "r" &&
        OWNER_LOOK_UPS.includes(table.name)
      ),
  );
  return [
    ...(table.rowSecurity ? [] : ["row security is not enabled"]),
    ...(table.forced ? [] : ["row security is not forced"]),
    ...(isolation.length === 1
      ? []
      : ["has no policy tenant_isolation with the tenant's condition in USING and WITH CHECK"]),
    ...others.map((policy) => `policy ${policy.name} for ${policy.roles} is not expected`),
  ];
}

function keyFaults(table: CatalogueTable): string[] {
  return [
    ...(table.tenantIsNullable ? ["tenant_id may be null"] : []),
    ...table.indexes
      .filter(({ name, firstColumn }) => firstColumn !== "tenant_id" && !TENANTLESS_INDEXES.includes(name))
      .map(({ name }) => `index ${name} does not begin with tenant_id`),
    ...table.foreignKeys
      .filter(({ columns }) => !columns.includes("tenant_id"))
      .map(({ name }) => `foreign key ${name} does not include tenant_id`),
  ];
}

function appendOnlyFaults(table: CatalogueTable): string[] {
  const name = table.parent ?? table.name;
  const forgotten = FORGOTTEN_IN_TIME.includes(name);
  if (!forgotten && !APPEND_ONLY.includes(name)) {
    return [];
  }
  const changes = forgotten ? "BEFORE UPDATE ROW" : "BEFORE DELETE UPDATE ROW";
  const enabled = new Set(table.triggers.filter((trigger) => trigger.enabled).map((trigger) => trigger.when));
  return [changes, "BEFORE TRUNCATE STATEMENT"]
    .filter((when) => !enabled.has(when))
    .map((when) => `has no enabled trigger ${when}`);
}

/** A partition is reached through its parent, whose rights are enough: it has none of its own. */
function rightFaults(table: CatalogueTable): string[] {
  const expected = table.parent === null ? (APP_RIGHTS[table.name] ?? []) : [];
  return difference(
    table.rights,
    expected.map((right) => `signalbox_app: ${right}`),
  );
}

function missingTables(tables: readonly CatalogueTable[]): string[] {
  return Object.keys(APP_RIGHTS)
    .filter((name) => !tables.some((table) => table.name === name))
    .map((name) => `${name}: is listed and does not exist`);
}

function functionFaults(found: CatalogueFunction): string[] {
  const expected = APP_FUNCTIONS.includes(found.name) ? ["signalbox_app"] : [];
  return [
    ...ownerFaults(found.owner),
    ...difference(found.grantees, expected).map((fault) => `EXECUTE of ${fault}`),
    ...(found.searchPath === "pg_catalog, pg_temp"
      ? []
      : ["search_path is not pinned to pg_catalog, pg_temp"]),
    ...(found.definer && expected.length === 0 ? ["runs as its owner and is not listed"] : []),
  ];
}

function schemaFaults({ schemas }: Catalogue): string[] {
  return schemas.flatMap(({ name, owner, rights }) =>
    [...ownerFaults(owner), ...difference(rights, ["signalbox_app: USAGE"])].map(
      (fault) => `schema ${name}: ${fault}`,
    ),
  );
}

const ROLES: Readonly<Record<string, { powers: string[]; memberOf: string[] }>> = {
  signalbox_app: { powers: ["LOGIN"], memberOf: [] },
  signalbox_migrator: { powers: [], memberOf: [OWNER] },
  signalbox_owner: { powers: [], memberOf: [] },
};

function roleFaults({ roles }: Catalogue): string[] {
  return roles.flatMap(({ name, powers, memberOf }) =>
    [
      ...difference(powers, ROLES[name]?.powers ?? []),
      ...difference(memberOf, ROLES[name]?.memberOf ?? []).map((fault) => `membership of ${fault}`),
    ].map((fault) => `role ${name}: ${fault}`),
  );
}

function ownerFaults(owner: string): string[] {
  return owner === OWNER ? [] : [`belongs to ${owner} and not to ${OWNER}`];
}

function difference(found: readonly string[], expected: readonly string[]): string[] {
  return [
    ...found.filter((right) => !expected.includes(right)).map((right) => `${right} is too much`),
    ...expected.filter((right) => !found.includes(right)).map((right) => `${right} is missing`),
  ];
}
