/**
 * Two servers, two databases. An environment is moved from one to the other while it pays, and the mover is killed with
 * -9 at every step: what was accepted is there once, and the neighbour notices nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { refuseStrays } from "../../server/src/cells/follow-cells.ts";
import { cancelMove, type MoveStep, moveEnvironment } from "../../server/src/cells/move-environment.ts";
import { readConfig } from "../../server/src/config.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/free-port.ts";
import { startServer } from "../../server/src/start-server.ts";
import { verifyArrival } from "../../server/src/verify-arrival.ts";
import { killAfter, killWhileCopying } from "../../server/testing/cells/killed-mover.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";
import { askAt, type Listed, startPaying } from "../../server/testing/paying-lanes.ts";
import { createReceiver } from "../../server/testing/webhooks/webhook-receiver.ts";
import { asOwner, eventually, silentLog } from "../../server/testing/work.ts";

const [home, other] = [await createTestDatabase(), await createTestDatabase()];
const mover = await createMerchant(home.db, "Mama Put Foods");
const neighbour = await createMerchant(home.db, "Okada Express");
const environmentId = mover.environment.id;
const cells = new Map([
  ["home", home.ownerUrl],
  ["abuja", other.ownerUrl],
]);

const folder = mkdtempSync(join(tmpdir(), "jara-cells-"));
const operatorToken = "op_for-tests-only-0123456789";
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns its port. */
async function serve(settings: Readonly<Record<string, string>>): Promise<number> {
  const port = await findFreePort();
  const server = await startServer(
    readConfig({
      PORT: String(port),
      JARA_HOME: folder,
      DATABASE_URL: home.appUrl,
      DATABASE_OWNER_URL: home.ownerUrl,
      JARA_RATE_LIMIT: "0",
      JARA_DEMO: "off",
      JARA_POOL_SIZE: "8",
      JARA_OPERATOR_TOKEN: operatorToken,
      LOG_LEVEL: "silent",
      ...settings,
    }),
    silentLog,
  );
  afterAll(() => server.stop());
  return port;
}

const allCells = { JARA_CELLS: `abuja=${other.ownerUrl}` };
/** Two servers, each of which finds out by itself where an environment lives. */
const ports = [await serve(allCells), await serve(allCells)] as const;
/** One that was told of no cell. It serves only, so that it does no work that others should. */
const uninformed = await serve({ JARA_ROLE: "api" });

const ask = (key: string, method: string, path: string, body?: unknown, port: number = ports[0]) =>
  askAt(port, key, method, path, body);

const move = (to: string, onStep: (step: MoveStep) => Promise<void> = async () => undefined) =>
  moveEnvironment({
    cells,
    environmentId,
    to,
    verify: (cell, id) => verifyArrival(cells, cell, id),
    onStep,
  });

/** What is left of a mover in this process that was cut off: its connections are gone, and it does nothing any more. */
async function cutOff(): Promise<never> {
  for (const url of cells.values()) {
    await asOwner(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jara-mover' and datname = current_database()",
    );
  }
  throw new Error("cut off");
}

async function count(url: string, table: string, tenant = "environment_id"): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query(`select count(*)::integer as n from ${table} where ${tenant} = $1`, [
      environmentId,
    ]);
    return found.rows[0].n;
  } finally {
    await client.end();
  }
}

/** Asked of the database: lists of hundreds, again and again, take the processor from those who settle them. */
const unsettled = `(select environment_id from transfers where status <> 'completed'
  union all select environment_id from bills where status <> 'successful') as unsettled`;

async function listAll(key: string, path: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await ask(key, "GET", `${path}?page=${page}&limit=100`);
    all.push(...body.data);
    if (!body.pagination.hasNextPage) return all;
  }
}

/** The databases that let anybody in; while it moves, one that lets readers in is not among them. */
async function openPlaces(): Promise<string[]> {
  const found = await Promise.all(
    [...cells].map(async ([name, url]) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const open = await client
        .query("select from environments where id = $1 and (closed is null or closed = 'draining')", [environmentId])
        .finally(() => client.end());
      return open.rowCount === 1 ? [name] : [];
    }),
  );
  return found.flat();
}

async function killMoverEverywhere(): Promise<void> {
  const killed = { cells, environmentId, to: "abuja" };
  await killWhileCopying(killed);
  expect(await openPlaces()).toEqual([]);
  for (const step of killedAt) {
    await killAfter(killed, step);
    expect((await openPlaces()).length, step).toBeLessThanOrEqual(1);
    // Readers come in at every moment but the one between the two doors.
    if (["gone", "switched"].includes(step)) continue;
    for (const port of ports) {
      expect((await ask(mover.secretKey, "GET", "/transfers", undefined, port)).status, step).toBe(200);
    }
  }
}

const killedAt: readonly MoveStep[] = ["noted", "closed", "drained", "copied", "verified", "gone", "switched"];

test("an environment moves under load, its mover killed at every step, and nothing is lost or doubled", async () => {
  const receiver = await createReceiver();
  const key = mover.secretKey;
  expect((await ask(key, "POST", "/webhooks/endpoints", { url: receiver.url })).status).toBe(201);
  for (const funded of [key, neighbour.secretKey]) {
    expect((await ask(funded, "POST", "/sandbox/wallets/fund", { amount: 100_000_000 })).status).toBe(201);
  }
  const paying = startPaying(ports, key, "moving");
  const beside = startPaying(ports, neighbour.secretKey, "beside");
  await eventually("some payouts are accepted", () => paying.ids.size > 10 && beside.ids.size > 10);
  await killMoverEverywhere();
  await move("abuja");
  expect(await openPlaces()).toEqual(["abuja"]);
  const before = paying.ids.size;
  await eventually("payouts are accepted at the new place", () => paying.ids.size > before + 20);
  const vended = paying.bills.size;
  await eventually("bills are accepted at the new place", () => paying.bills.size > vended + 5);
  await Promise.all([paying.stop(), beside.stop()]);
  expect(beside.refused).toBe(0);
  expect(paying.refused).toBeGreaterThan(0);
  // One that was in hand when the door closed comes back with its lease, after a minute.
  await eventually("all orders are settled", async () => (await count(other.ownerUrl, unsettled)) === 0, 120_000);
  const bills = await listAll(key, "/bills");
  expect(new Set(bills.map(({ id }) => id))).toEqual(paying.bills);
  expect(bills).toHaveLength(paying.bills.size);
  const listed = await listAll(key, "/transfers");
  expect(new Set([...bills, ...listed].map(({ status }) => status))).toEqual(new Set(["successful", "completed"]));
  expect(new Set(listed.map(({ id }) => id))).toEqual(paying.ids);
  expect(listed).toHaveLength(paying.ids.size);
  const { body } = await ask(key, "GET", "/wallets/balance");
  expect(body.data.held).toBe(0);
  const cost = bills.reduce((sum, { totalDebited, commission }) => sum + totalDebited - commission, 0);
  expect(body.data.available).toBeCloseTo(100_000_000 - paying.ids.size * 2511.25 - cost, 2);
  const events = await listAll(key, "/events");
  await eventually("every event is delivered", () => idsOf(receiver.received).size >= events.length, 60_000);
  expect(idsOf(receiver.received)).toEqual(new Set(events.map(({ id }) => id)));
  expectOrder(events.map(({ id }) => id).reverse(), receiver.received);
  expect(await readPositions()).toEqual({ first: 1, last: events.length, count: events.length });
  for (const table of ["transfers", "bills", "entries", "events", "webhook_deliveries", "api_keys"]) {
    expect([table, await count(home.ownerUrl, table)]).toEqual([table, 0]);
    expect(await count(other.ownerUrl, table), table).toBeGreaterThan(0);
  }
  expect(await count(other.ownerUrl, "simulated_bank.payments", "sandbox")).toBe(paying.ids.size);
  expect(await count(other.ownerUrl, "simulated_biller.vends", "sandbox")).toBe(paying.bills.size);
  expect(await verifyArrival(cells, "abuja", environmentId)).toEqual([]);
}, 300_000);

test("a server that was not told of the cell says so, and does not call the key invalid", async () => {
  const reply = await ask(mover.secretKey, "GET", "/wallets/balance", undefined, uninformed);
  expect([reply.status, reply.body.code, reply.retryAfter]).toEqual([503, "unavailable", "10"]);
  expect((await ask(neighbour.secretKey, "GET", "/wallets/balance", undefined, uninformed)).status).toBe(200);
  const figures = await Promise.all(
    [uninformed, ports[0]].map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  expect(figures[0]).toMatch(/^jara_cells_missing 1$/m);
  expect(figures[1]).toMatch(/^jara_cells_missing 0$/m);
  const unknown = await ask(
    `${mover.secretKey.slice(0, -1)}${mover.secretKey.endsWith("A") ? "B" : "A"}`,
    "GET",
    "/events",
  );
  expect([unknown.status, unknown.body.code]).toEqual([401, "invalid_key"]);
});

/** Nobody hears the second thing about a record before the first. */
function expectOrder(log: readonly string[], received: readonly { readonly body: string }[]): void {
  const place = new Map(log.map((id, at) => [id, at]));
  const latest = new Map<string, number>();
  const heard = new Set<string>();
  for (const { body } of received) {
    const { id, data } = JSON.parse(body);
    if (heard.has(id)) continue;
    heard.add(id);
    const at = place.get(id) ?? -1;
    expect(at, `${id} came after a later event of ${data.id}`).toBeGreaterThan(latest.get(data.id) ?? -1);
    latest.set(data.id, at);
  }
}

async function readPositions(): Promise<unknown> {
  const client = new pg.Client({ connectionString: other.ownerUrl });
  await client.connect();
  const found = await client
    .query(
      `select min(list_position)::integer as first, max(list_position)::integer as last,
         count(distinct list_position)::integer as count
       from events where environment_id = $1`,
      [environmentId],
    )
    .finally(() => client.end());
  return found.rows[0];
}

function idsOf(received: readonly { readonly body: string }[]): Set<string> {
  return new Set(received.map(({ body }) => JSON.parse(body).id));
}

test("an operator finds records and environments wherever they live", async () => {
  const [own] = await listAll(mover.secretKey, "/transfers");
  const [beside] = await listAll(neighbour.secretKey, "/transfers");
  for (const id of [own?.id, beside?.id]) {
    expect((await ask(operatorToken, "GET", `/operator/transfers/${id}`)).body.data.id).toBe(id);
    expect((await ask(operatorToken, "GET", `/operator/traces/${id}`)).status).toBe(200);
  }
  expect((await ask(operatorToken, "GET", `/operator/environments/${environmentId}`)).body.data.id).toBe(environmentId);
  const unknown = await ask(operatorToken, "GET", "/operator/transfers/01890a5d-ac96-774b-bcce-b302099a8057");
  expect([unknown.status, unknown.body.code]).toEqual([404, "transfer_not_found"]);
  for (const path of ["queues", "decisions", "unknowns", "audit", "processes"]) {
    expect((await ask(operatorToken, "GET", `/operator/${path}`)).status, path).toBe(200);
  }
  const issued = await ask(operatorToken, "POST", `/operator/environments/${environmentId}/keys`, { name: "Second" });
  expect(issued.status).toBe(201);
  expect((await ask(issued.body.data.key, "GET", "/wallets/balance")).status).toBe(200);
  const { body } = await ask(operatorToken, "GET", "/operator/audit?limit=1");
  expect(body.data[0]).toMatchObject({ action: "key.issue", environmentId });
  expect((await ask(operatorToken, "POST", `/operator/keys/${issued.body.data.id}/revoke`)).status).toBe(200);
});

test("a move that is called off, or refused, leaves everything as it was", async () => {
  await expect(move("lagos")).rejects.toThrow("no cell is called lagos; there are home, abuja");
  await expect(cancelMove({ cells, environmentId })).rejects.toThrow("it is not being moved");
  await expect(move("home", async (step) => (step === "closed" ? cutOff() : undefined))).rejects.toThrow();
  const refused = await ask(mover.secretKey, "POST", "/sandbox/wallets/fund", { amount: 1 });
  expect([refused.status, refused.body.code]).toEqual([503, "environment_moving"]);
  await cancelMove({ cells, environmentId });
  expect((await ask(mover.secretKey, "POST", "/sandbox/wallets/fund", { amount: 1 })).status).toBe(201);
  await expect(
    move("home", async (step) => (step === "copied" ? Promise.reject(new Error("stop")) : undefined)),
  ).rejects.toThrow("stop");
  expect((await ask(mover.secretKey, "POST", "/sandbox/wallets/fund", { amount: 1 })).status).toBe(201);
});

test("an environment that moved comes home again, with all that happened since", async () => {
  const before = await listAll(mover.secretKey, "/transfers");
  // Killed when all is done but for what was left behind: the next run removes it.
  await expect(move("home", async (step) => (step === "opened" ? cutOff() : undefined))).rejects.toThrow();
  expect(await count(other.ownerUrl, "transfers")).toBe(before.length);
  expect(await move("home")).toBeUndefined();
  await eventually(
    "the server has noticed",
    async () => (await ask(mover.secretKey, "POST", "/sandbox/wallets/fund", { amount: 1 })).status === 201,
  );
  expect(await listAll(mover.secretKey, "/transfers")).toEqual(before);
  expect(await count(other.ownerUrl, "transfers")).toBe(0);
});

test("a database from before a move is not served: the environment would be open twice", async () => {
  const others = new Map([["abuja", other.db]]);
  await refuseStrays(home.db, others);
  await asOwner(other.ownerUrl, `update environments set closed = null where id = '${environmentId}'`);
  await expect(refuseStrays(home.db, others)).rejects.toThrow(
    `Environment ${environmentId} is open in abuja and lives in home.`,
  );
});
