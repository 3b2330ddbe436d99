/** Deliveries are claimed and settled by the batch: what a batch reads. */
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { addEndpoint } from "../../../testing/webhooks/webhooks.ts";
import { inEnvironment, operatorScope } from "../../platform/database/database.ts";
import { gatherEvents, recordEvents } from "../../platform/records/outbox.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";

const app = await createTestApp();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

interface ClaimedRow {
  readonly environment_id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly resource_id: string;
}

async function claim(client: pg.Client, most: number): Promise<ClaimedRow[]> {
  const start = Array.from({ length: 4 }, () => operatorScope);
  const found = await client.query<ClaimedRow>(
    "select * from claim_due_deliveries($1, $1, $1, 45, '{}', $2, $3, $4, $5)",
    [most, ...start],
  );
  return found.rows;
}

async function settle(client: pg.Client, rows: readonly ClaimedRow[]): Promise<void> {
  const each = <T>(of: (row: ClaimedRow) => T): T[] => rows.map(of);
  await client.query("select * from record_webhook_arrivals($1, $2, $3, $4, $5, $5, $6, $7, $8)", [
    each((row) => row.environment_id),
    each((row) => row.event_id),
    each((row) => row.endpoint_id),
    each((row) => row.resource_id),
    each(() => new Date()),
    each(() => 200),
    each(() => 1),
    each(() => "ok"),
  ]);
}

/** The rows that this transaction has read so far. */
async function rowsRead(client: pg.Client): Promise<number> {
  const found = await client.query<{ read: string }>(`
    select sum(seq_tup_read + idx_tup_fetch) as read from pg_stat_xact_user_tables
    where relname in ('events', 'webhook_deliveries', 'webhook_attempts', 'webhook_endpoints')`);
  return Number(found.rows[0]?.read ?? 0);
}

test("plans that were made while the tables were empty read little more than what they claim and settle", async () => {
  const client = await connect(app.appUrl);
  for (let time = 0; time < 6; time += 1) await settle(client, await claim(client, 10));
  const { secretKey, environment } = await createMerchant(app.db);
  await addEndpoint(app, "http://localhost:9/hooks", {}, secretKey);
  await record(app.db, environment.id, ...Array.from({ length: 900 }, () => someEvent()));
  await sequenceEvents(app.db);
  await client.query("begin");
  const claimed = await claim(client, 100);
  const read = await rowsRead(client);
  await settle(client, claimed);
  const readInAll = await rowsRead(client);
  await client.query("select set_config('jara.environment_id', $1, true)", [environment.id]);
  const settled = await client.query("select from webhook_deliveries where status = 'delivered'");
  await client.query("rollback");
  expect(claimed).toHaveLength(100);
  expect(read).toBeGreaterThan(100);
  expect(read).toBeLessThan(100 * 10);
  expect(readInAll - read).toBeLessThan(100 * 10);
  expect(settled.rowCount).toBe(100);
});

const many = (count: number) => Array.from({ length: count }, () => someEvent());

/** Writes events as a batch of money commands does; returns how many rows of the table were looked at. */
function writeBatch(environmentId: string, events: ReturnType<typeof many>, table: string): Promise<number> {
  return inEnvironment(app.db, environmentId, async (tx) => {
    await gatherEvents(tx, () => recordEvents(tx, events));
    const found = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
      where relname = ${table}`.execute(tx);
    return found.rows[0]?.read ?? 0;
  });
}

test("what waits already is not read again for each new delivery", async () => {
  const { secretKey, environment } = await createMerchant(app.db);
  await addEndpoint(app, "http://localhost:9/hooks", {}, secretKey);
  const write = (...events: ReturnType<typeof many>) => writeBatch(environment.id, events, "webhook_deliveries");
  const first = someEvent();
  await write(first);
  await write(...many(300));
  expect(await write(...many(50))).toBeLessThan(50);
  // One that follows another of its record finds it, and finds nothing else.
  const second = { ...first, resourceVersion: 2 };
  expect(await write(second)).toBeLessThan(10);
  const waiting = await inEnvironment(app.db, environment.id, (tx) =>
    sql<{ waits: boolean }>`select waits from webhook_deliveries where resource_id = ${first.resourceId}
      order by event_position`.execute(tx),
  );
  expect(waiting.rows).toEqual([{ waits: false }, { waits: true }]);
});

test("endpoints of others are not read when events are numbered", async () => {
  const merchants = await Promise.all(Array.from({ length: 30 }, () => createMerchant(app.db)));
  for (const { secretKey } of merchants) await addEndpoint(app, "http://localhost:9/hooks", {}, secretKey);
  const [{ environment }] = merchants as [(typeof merchants)[number]];
  const client = await connect(app.appUrl);
  const soFar = async () => {
    const found = await client.query<{ read: number }>(
      `select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
       where relname = 'webhook_endpoints'`,
    );
    return found.rows[0]?.read ?? 0;
  };
  const readEndpoints = async () => {
    await record(app.db, environment.id, ...many(2));
    await client.query("begin");
    const before = await soFar();
    await client.query("select sequence_events(100)");
    const read = (await soFar()) - before;
    await client.query("commit");
    return read;
  };
  for (let time = 0; time < 6; time += 1) await readEndpoints();
  expect(await readEndpoints()).toBeLessThan(10);
});
