/** Connections that are open and of no use any more are replaced by themselves. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { type CutLine, createCutLine } from "../../../testing/platform/cut-line.ts";
import { asOwner } from "../../../testing/work.ts";
import { createDatabase, createPool, type Database, inTransaction, type PlainTx } from "./database.ts";
import { isConnectionLost } from "./retry-transient.ts";
import { requirePrimary } from "./tend-connections.ts";

const { appUrl, ownerUrl } = await createTestDatabase();
const databaseName = new URL(appUrl).pathname.slice(1);

function open(url: string, poolSize: number, patienceMs = 200) {
  const pool = createPool({ url, poolSize, patienceMs });
  const db = createDatabase(pool);
  afterAll(() => db.destroy());
  return { pool, db };
}

/** For connections that are opened from now on. */
const setReadOnly = (value: "= on" | "to default") =>
  asOwner(
    ownerUrl,
    `begin read write; alter database ${databaseName} set default_transaction_read_only ${value}; commit`,
  );

const whoAmI = (db: Database) =>
  sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db).then(({ rows }) => rows[0]?.pid);

describe("a primary that was demoted under open connections", () => {
  const write = (tx: PlainTx) => sql`update list_counters set total = total where false`.execute(tx);

  test("refuses writes as a database that is away, until new connections find one that takes them", async () => {
    await setReadOnly("= on");
    const { db } = open(appUrl, 3);
    // Three connections that will stay as they were opened.
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`.execute(db)));
    const refused = await inTransaction(db, write).catch((error: unknown) => error);
    expect(isConnectionLost(refused)).toBe(true);
    await expect(requirePrimary(db)).rejects.toMatchObject({ code: "25006" });
    await setReadOnly("to default");
    await inTransaction(db, write);
    await requirePrimary(db);
  });
});

describe("a host that answers nothing", () => {
  let line: CutLine;

  test("costs the statements that wait for it, and nobody once it is back", async () => {
    line = await createCutLine(appUrl);
    const { db } = open(line.url, 2);
    await whoAmI(db);
    line.swallow();
    const error = await whoAmI(db).catch((thrown: unknown) => thrown);
    expect(isConnectionLost(error)).toBe(true);
    await line.mend();
    expect(await whoAmI(db)).toBeGreaterThan(0);
  });

  test("is told from one that is slow", async () => {
    // A busy machine may take a while to say that PostgreSQL is there.
    const { db } = open(line.url, 2, 2_000);
    const before = await whoAmI(db);
    await sql`select pg_sleep(2.6)`.execute(db);
    expect(await whoAmI(db)).toBe(before);
  });
});

describe("what keeps us from a connection", () => {
  const failure = (work: () => Promise<unknown>) =>
    work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  const elsewhere = (change: (url: URL) => void): string => {
    const url = new URL(appUrl);
    change(url);
    return url.toString();
  };

  test.each([
    ["a wrong password", () => elsewhere((url) => Object.assign(url, { password: "not-this-one" }))],
    ["a database that does not exist", () => elsewhere((url) => Object.assign(url, { pathname: "/nowhere" }))],
    ["a pooler that takes the login and refuses the first statement", refusingServer],
  ])("is a database that is away: %s", async (_, place) => {
    const { pool, db } = open(await place(), 2);
    const ways = [
      () => inTransaction(db, async (tx) => sql`select 1`.execute(tx)),
      () => sql`select 1`.execute(db),
      () => pool.query("select 1"),
    ];
    for (const way of ways) expect(isConnectionLost(await failure(way))).toBe(true);
  });
});

/** Says that it is PostgreSQL and ready, and answers every statement with an error that we know nothing of. */
async function refusingServer(): Promise<string> {
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const ready = message("Z", Buffer.from("I"));
  const loggedIn = Buffer.concat([message("R", Buffer.alloc(4)), ready]);
  const refused = Buffer.concat([message("E", Buffer.from("SERROR\0CXX999\0Mnot today\0\0")), ready]);
  const server = createServer((socket) => {
    let greeted = false;
    socket.on("error", () => undefined);
    socket.on("data", () => {
      socket.write(greeted ? refused : loggedIn);
      greeted = true;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close());
  return `postgres://jara@127.0.0.1:${(server.address() as AddressInfo).port}/jara`;
}

test("PostgreSQL hears how soon it may take us for gone", async () => {
  const { db } = open(appUrl, 1);
  const shown = await sql`
    select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
           current_setting('idle_in_transaction_session_timeout') as transaction`.execute(db);
  expect(shown.rows).toEqual([{ idle: "5", interval: "2", transaction: "1min" }]);
});
