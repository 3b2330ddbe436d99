/** A server with a standby in JARA_REPLICA_URLS: lists come from the standby, and whoever has just written finds it there. */
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { openPair } from "../../server/testing/platform/standby.ts";
import { connectTo, makeHome, startServer, stopServer } from "./server-process.ts";

const pair = await openPair();
afterAll(() => pair.close());

async function rowsReadFrom(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found = await client
    .query<{ rows: string }>(
      "select coalesce(sum(idx_scan), 0) as rows from pg_stat_user_tables where relname = 'transfers'",
    )
    .finally(() => client.end());
  return Number(found.rows[0]?.rows);
}

// A server is a process that prepares a database; on a busy machine that takes a while.
test("each payout is in the list that is read after it, and the standby has served", async () => {
  const home = makeHome();
  // Without a login in its address the standby is asked with that of the server.
  const standby = Object.assign(new URL(pair.ownerUrl), { username: "", password: "" }).toString();
  const server = startServer({
    JARA_HOME: home,
    PORT: String(await findFreePort()),
    DATABASE_URL: pair.primary.ownerUrl,
    JARA_REPLICA_URLS: standby,
    JARA_DEMO: "off",
  });
  await server.ready;
  const jara = connectTo(server, home);
  const list = () => jara.transfers.list({ limit: 100 }).page();
  for (let made = 1; made <= 15; made += 1) {
    const payout = await jara.transfers.create({
      amount: 100 + made,
      accountNumber: "0690000032",
      bankCode: "044",
      reference: `payout-${made}`,
      narration: "a payout",
    });
    const { items } = await list();
    expect(items.map(({ id }) => id)).toContain(payout.id);
    expect(items).toHaveLength(made);
  }
  await expect
    .poll(async () => {
      await list();
      return (await fetch(`${server.baseUrl}/metrics`)).text();
    })
    .toMatch(/^jara_replica_serving\{replica="127\.0\.0\.1:\d+\/jara"\} 1$/m);
  await expect.poll(() => rowsReadFrom(pair.ownerUrl)).toBeGreaterThan(0);
  await stopServer(server);
});
