/** What the database says of itself. It reads only; a schema that is not there yet is a fact as well. */
import type pg from "pg";

export interface DatabaseFacts {
  /** Such as 18. */
  readonly version: number;
  readonly isStandby: boolean;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: string;
  readonly checksums: boolean;
  readonly usesTls: boolean;
  readonly archives: boolean;
  /** The last try to archive failed. */
  readonly archiveFails: boolean;
  readonly standbys: number;
  readonly synchronousStandbys: number;
  readonly connections: number;
  /** How far its clock is ahead of ours; negative when it is behind. */
  readonly clockAheadMs: number;
}

export interface LoginFacts {
  readonly isSuperuser: boolean;
  readonly bypassesTenants: boolean;
  readonly ownsTables: boolean;
}

/** What is in a schema that is up to date. */
export interface HouseFacts {
  readonly demoMerchants: number;
  /** Live connections that take orders, by port. */
  readonly livePorts: readonly string[];
}

/** As the owner: what others do is told to nobody else. */
export async function readDatabaseFacts(client: pg.Client): Promise<DatabaseFacts> {
  const began = Date.now();
  const found = await client.query<Omit<DatabaseFacts, "clockAheadMs"> & { now: Date }>(`
    select current_setting('server_version_num')::integer / 10000 as version,
      pg_is_in_recovery() as "isStandby",
      current_setting('fsync')::boolean as fsync,
      current_setting('full_page_writes')::boolean as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('data_checksums')::boolean as checksums,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "usesTls",
      current_setting('archive_mode') <> 'off' as archives,
      (select coalesce(last_failed_time > last_archived_time, last_failed_time is not null)
         from pg_stat_archiver) as "archiveFails",
      (select count(*)::integer from pg_stat_replication) as standbys,
      (select count(*)::integer from pg_stat_replication
         where sync_state in ('sync', 'quorum')) as "synchronousStandbys",
      current_setting('max_connections')::integer as connections,
      clock_timestamp() as now`);
  const [row] = found.rows;
  if (row === undefined) throw new Error("the database says nothing of itself");
  const { now, ...facts } = row;
  return { ...facts, clockAheadMs: now.getTime() - (began + Date.now()) / 2 };
}

/** As the login that serves requests. */
export async function readLoginFacts(client: pg.Client): Promise<LoginFacts> {
  const found = await client.query<LoginFacts>(`
    select rolsuper as "isSuperuser", rolbypassrls as "bypassesTenants",
      exists (select from pg_tables where schemaname = 'public' and tableowner = current_user) as "ownsTables"
    from pg_roles where rolname = current_user`);
  const [row] = found.rows;
  if (row === undefined) throw new Error("the login is not in pg_roles");
  return row;
}

export async function readAppliedMigrations(client: pg.Client): Promise<ReadonlySet<string>> {
  const table = await client.query<{ is: boolean }>("select to_regclass('schema_migrations') is not null as is");
  if (table.rows[0]?.is !== true) return new Set();
  const found = await client.query<{ name: string }>("select name from schema_migrations");
  return new Set(found.rows.map(({ name }) => name));
}

/** The look-up role sees every environment's rows, which an owner does not. */
export async function readHouseFacts(client: pg.Client, demoEmail: string): Promise<HouseFacts> {
  await client.query("begin read only");
  try {
    await client.query("set local role jara_lookup");
    const merchants = await client.query<{ count: number }>(
      "select count(*)::integer as count from merchants where email = $1",
      [demoEmail],
    );
    const ports = await client.query<{ port: string }>(`
      select distinct unnest(ports) as port from rail_connections
      where mode = 'live' and state = 'active' and held_at is null order by 1`);
    return { demoMerchants: merchants.rows[0]?.count ?? 0, livePorts: ports.rows.map(({ port }) => port) };
  } finally {
    await client.query("rollback");
  }
}
