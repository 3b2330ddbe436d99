/** Makes a row for any tenant table from what the catalogue says about its columns, for the proofs of tenancy. */
import { randomUUID } from "node:crypto";
import type pg from "pg";

export interface TenantTable {
  /** Quoted where needed and with its schema, ready for SQL. */
  readonly name: string;
  /** The column that names the environment; the simulated rails call it sandbox. */
  readonly tenant: "environment_id" | "sandbox";
  readonly hasRowSecurity: boolean;
  readonly forcesRowSecurity: boolean;
  readonly columns: readonly Column[];
  /** Definitions of the check constraints. */
  readonly checks: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Values that a constraint asks for and the catalogue's types do not tell. `n` differs from row to row. */
const special: Readonly<Record<string, (n: number) => Readonly<Record<string, string>>>> = {
  "public.wallets": (n) => ({ account_number: `'${String(n).padStart(10, "0")}'`, is_main: "true" }),
  "public.transfers": (n) => ({ list_position: String(n) }),
  "public.event_archives": () => ({ sha256: `'${"0".repeat(64)}'` }),
  "public.loan_repayments": () => ({ wallet_id: `'${randomUUID()}'` }),
  "public.loan_credit_refunds": () => ({ wallet_id: `'${randomUUID()}'` }),
  "public.consent_codes": () => ({ channel: "'sms'", loan_id: `'${randomUUID()}'` }),
  "public.contact_changes": () => ({ phone: "'+2348031234567'" }),
  "public.consent_records": () => ({ channel: "'sms'" }),
  "public.customer_cards": () => ({ last4: "'4081'", exp_year: "2030", sealed_token: "'\\x00'" }),
  "simulated_bank.payments": (n) => ({ session_id: `'${String(n).padStart(30, "0")}'`, response_code: "'00'" }),
  "simulated_card.tokens": (n) => ({ token: `'ctok_${String(n).padStart(48, "0")}'`, last4: "'4081'" }),
  "simulated_card.links": () => ({ status: "'declined'", decline_code: "'05'" }),
  "simulated_card.charges": () => ({ status: "'paid'" }),
  "simulated_card.refunds": () => ({ status: "'paid'" }),
  "simulated_message.messages": () => ({ channel: "'sms'", status: "'delivered'" }),
  "public.virtual_accounts": () => ({ status: "'pending'" }),
  "public.wallet_movements": () => ({ from_account_id: `'${randomUUID()}'` }),
};

const byType: Readonly<Record<string, (n: number) => string>> = {
  uuid: () => `'${randomUUID()}'`,
  text: (n) => `'sample-${n}'`,
  bytea: () => `'\\x${randomUUID().replaceAll("-", "").repeat(2)}'`,
  smallint: () => "1",
  integer: () => "1",
  bigint: (n) => String(n),
  boolean: () => "true",
  date: () => "current_date",
  json: () => "'{}'",
  jsonb: () => "'{}'",
  "timestamp with time zone": () => "now()",
  "text[]": () => "'{sample}'",
};

/** Every table with an environment_id or a sandbox, wherever it lies, with the columns that a row cannot do without. */
export async function readTenantTables(owner: pg.Client): Promise<TenantTable[]> {
  const found = await owner.query<TenantTable>(`
    select format('%I.%I', n.nspname, c.relname) as name, t.attname as tenant,
      c.relrowsecurity as "hasRowSecurity", c.relforcerowsecurity as "forcesRowSecurity",
      (select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null))), '[]')
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef
          and a.attidentity = '' and a.attname <> t.attname) as columns,
      (select coalesce(json_agg(pg_get_constraintdef(k.oid)), '[]')
        from pg_constraint k where k.conrelid = c.oid and k.contype = 'c') as checks
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute t on t.attrelid = c.oid and t.attname in ('environment_id', 'sandbox')
    where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    order by 1`);
  return found.rows;
}

let made = 0;

/** An insert statement for a row of the environment. Throws when a column's type is new to us. */
export function sampleInsert(table: TenantTable, environmentId: string): string {
  made += 1;
  const values: Record<string, string> = { [table.tenant]: `'${environmentId}'` };
  for (const column of table.columns) values[column.name] = sampleValue(table, column);
  Object.assign(values, special[table.name]?.(made));
  return `insert into ${table.name} (${Object.keys(values).join(", ")}) values (${Object.values(values).join(", ")})`;
}

function sampleValue(table: TenantTable, column: Column): string {
  const oneOf = new RegExp(`\\(${column.name} = ANY \\(ARRAY\\[('[^']*')::`);
  const allowed = table.checks.map((check) => oneOf.exec(check)?.[1]).find((word) => word !== undefined);
  const make = byType[column.type];
  if (make === undefined) throw new Error(`give ${table.name}.${column.name} of type ${column.type} a sample`);
  return allowed ?? make(made);
}
