/** What belongs to an environment, found in the catalogue: a table that somebody adds later is moved too. */
import type pg from "pg";

export interface TenantTable {
  /** With its schema and quoted where needed, ready for SQL. */
  readonly name: string;
  /** The column that names the environment. */
  readonly tenant: string;
  /** All but those that PostgreSQL computes. */
  readonly columns: string;
  /** Sequences that number its rows, each with its column. */
  readonly sequences: readonly { readonly name: string; readonly column: string }[];
}

interface Found extends TenantTable {
  readonly refersTo: readonly string[];
}

/** Tables that others refer to come before those that refer to them. */
export async function readTenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const found = await client.query<Found>(`
    with tenants as (
      select c.oid, format('%I.%I', n.nspname, c.relname) as name, t.attname as tenant
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute t on t.attrelid = c.oid and not t.attisdropped
        and t.attname = case n.nspname when 'public' then 'environment_id' else 'sandbox' end
      where c.relkind in ('r', 'p') and not c.relispartition
        and (n.nspname = 'public' or n.nspname like 'simulated\\_%'))
    select t.name, quote_ident(t.tenant) as tenant,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(json_build_object(
          'name', s.number::regclass::text, 'column', quote_ident(a.attname))), '[]')
        from (
          -- Those of identity columns, and those that a column takes its default from.
          select d.objid as number, d.refobjsubid as attnum from pg_depend d
          where d.classid = 'pg_class'::regclass and d.refobjid = t.oid and d.refobjsubid > 0 and d.deptype = 'i'
          union
          select d.refobjid, f.adnum from pg_attrdef f join pg_depend d on d.classid = 'pg_attrdef'::regclass
            and d.objid = f.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> t.oid
          where f.adrelid = t.oid) s
        join pg_class c on c.oid = s.number and c.relkind = 'S'
        join pg_attribute a on a.attrelid = t.oid and a.attnum = s.attnum) as sequences,
      (select coalesce(json_agg(distinct r.name), '[]') from pg_constraint k join tenants r on r.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = t.oid and k.confrelid <> t.oid) as "refersTo"
    from tenants t order by 1`);
  return inOrder(found.rows);
}

function inOrder(tables: readonly Found[]): TenantTable[] {
  const sorted: Found[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const ready = rest.filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (ready.length === 0) throw new Error(`these tables refer to each other in a circle: ${[...waiting].join(", ")}`);
    sorted.push(...ready);
    rest = rest.filter((table) => !ready.includes(table));
  }
  return sorted;
}
