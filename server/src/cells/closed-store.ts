/** Where an environment lives, and whether a database lets anybody in. Every change is a compare-and-set. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const betweenLooksMs = 20;

/** What a database knows of an environment; home's word about `cell` and `movingTo` is the one that counts. */
export interface Standing {
  readonly cell: string | null;
  readonly movingTo: string | null;
  readonly closed: "draining" | "leaving" | "arriving" | "gone" | null;
}

/** A connection of the mover's: it sees closed environments, and both sides write rows in the same way. */
export async function connectMover(ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "jara-mover", keepAlive: true });
  await client.connect();
  // A connection that breaks makes the next statement fail; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.query(
    "set jara.mover = 'on'; set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1; set statement_timeout = 0",
  );
  // When the mover's machine vanishes, PostgreSQL lets go of the move's lock within seconds and not after hours.
  await client.query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 5");
  return client;
}

/** Held until the connection ends. False when another run of the mover has it. */
export async function takeMoveLock(home: pg.ClientBase, environmentId: string): Promise<boolean> {
  const taken = await home.query<{ taken: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('jara.move/' || $1, 0)) as taken",
    [environmentId],
  );
  return taken.rows[0]?.taken === true;
}

export async function readStanding(client: pg.ClientBase, environmentId: string): Promise<Standing | undefined> {
  const found = await client.query<Standing>(
    `select cell, moving_to as "movingTo", closed from environments where id = $1`,
    [environmentId],
  );
  return found.rows[0];
}

/** Home writes down where the environment is going, before anything else happens. */
export async function noteMove(home: pg.ClientBase, environmentId: string, to: string): Promise<void> {
  await home.query("update environments set moving_to = $2 where id = $1", [environmentId, to]);
}

export async function forgetMove(home: pg.ClientBase, environmentId: string): Promise<void> {
  await home.query("update environments set moving_to = null where id = $1", [environmentId]);
}

/** Home's word changes: from here on the new cell serves. It is on its way until the old place is empty. */
export async function switchCell(home: pg.ClientBase, environmentId: string, cell: string | null): Promise<void> {
  await home.query("update environments set cell = $2 where id = $1", [environmentId, cell]);
}

/** A cell writes down that it is not home: what may be done only there is refused (platform/database/require-home.ts). */
export async function noteCell(target: pg.ClientBase, environmentId: string, cell: string): Promise<void> {
  await target.query("update environments set cell = $2 where id = $1", [environmentId, cell]);
}

/** Everybody may still come in, and nobody takes up its work any more: what is with a rail has time to come back. */
export async function stopWork(source: pg.ClientBase, environmentId: string): Promise<void> {
  await source.query("update environments set closed = 'draining' where id = $1 and closed is null", [environmentId]);
}

/** Waits until the orders that workers had taken up are back, or `longestMs` are over. */
export async function waitForOrders(source: pg.ClientBase, environmentId: string, longestMs: number): Promise<void> {
  const giveUpAt = performance.now() + longestMs;
  while (performance.now() < giveUpAt && (await hasOrders(source, environmentId))) await pause(betweenLooksMs);
}

/** A claim that ends in the future is somebody's lease. */
async function hasOrders(source: pg.ClientBase, environmentId: string): Promise<boolean> {
  const found = await source.query<{ busy: boolean }>(
    `select exists (select from transfers t where t.environment_id = $1 and t.claim_at > clock_timestamp())
       or exists (select from bills b where b.environment_id = $1 and b.claim_at > clock_timestamp()) as busy`,
    [environmentId],
  );
  return found.rows[0]?.busy === true;
}

/** Readers may still come in. A run that starts again takes over from the one before. */
export async function closeToWriters(source: pg.ClientBase, environmentId: string, run: string): Promise<void> {
  const closed = await source.query(
    `update environments set closed = 'leaving', closed_by = $2
     where id = $1 and closed in ('draining', 'leaving')`,
    [environmentId, run],
  );
  if (closed.rowCount !== 1) throw new Error("the environment could not be closed to writers");
}

/** As if nothing had happened. False when it has crossed over, or when another run than this one closed it. */
export async function reopen(source: pg.ClientBase, environmentId: string, run?: string): Promise<boolean> {
  const opened = await source.query(
    `update environments set closed = null, closed_by = null
     where id = $1 and closed in ('draining', 'leaving') and ($2::uuid is null or closed_by is null or closed_by = $2)`,
    [environmentId, run ?? null],
  );
  return opened.rowCount === 1;
}

/** Throws when another run has taken over meanwhile. */
export async function moveState(
  client: pg.ClientBase,
  environmentId: string,
  { from, to, run }: { readonly from: "leaving" | "arriving"; readonly to: "gone" | null; readonly run?: string },
): Promise<void> {
  const moved = await client.query(
    `update environments set closed = $3, closed_by = null
     where id = $1 and closed = $2 and ($4::uuid is null or closed_by = $4)`,
    [environmentId, from, to, run ?? null],
  );
  if (moved.rowCount !== 1) throw new Error("another run of the mover has taken over");
}

/**
 * Waits until every transaction is over that began before the environment was closed: it may have come in, and may
 * still write. Whoever begins later finds the door closed. Throws after `patienceMs`, with who is in the way.
 */
export async function waitForOlder(client: pg.ClientBase, patienceMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  let older = await readTransactions(client);
  while (older.size > 0) {
    if (performance.now() > giveUpAt) {
      const pids = [...new Set(older.values())].join(", ");
      throw new Error(`transactions that began before the move do not end; the process ids in PostgreSQL: ${pids}`);
    }
    await pause(betweenLooksMs);
    const now = await readTransactions(client);
    older = new Map([...older].filter(([id]) => now.has(id)));
  }
}

/** As PostgreSQL names them. Its own workers belong to nobody, and write in no tenant's table. */
async function readTransactions(client: pg.ClientBase): Promise<Map<string, number>> {
  const found = await client.query<{ id: string; pid: number }>(`
    select l.virtualtransaction as id, l.pid
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid()
      and a.usesysid is not null and a.datid = (select d.oid from pg_database d where d.datname = current_database())`);
  return new Map(found.rows.map(({ id, pid }) => [id, pid]));
}

/** Why this environment has to stay at home; undefined when it may move. */
export async function findTie(source: pg.ClientBase, environmentId: string): Promise<string | undefined> {
  const found = await source.query<{ tie: string | null }>(
    `select case
       when exists (select from wallets w where w.environment_id = $1 and w.connection_id is not null)
         or exists (select from virtual_accounts v where v.environment_id = $1 and v.connection_id is not null)
         then 'it has accounts of a provider, and money that comes in is booked at home'
       when exists (select from environments e where e.id = $1 and e.kind = 'LIVE')
         and (exists (select from loan_accounts l where l.environment_id = $1)
           or exists (select from loan_requests r where r.environment_id = $1)
           or exists (select from checkout_loans c where c.environment_id = $1)
           or exists (select from customers c where c.environment_id = $1))
         then 'it lends, and what a person owes at other merchants is looked up at home' end as tie`,
    [environmentId],
  );
  return found.rows[0]?.tie ?? undefined;
}
