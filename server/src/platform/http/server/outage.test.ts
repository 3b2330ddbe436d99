/** PostgreSQL goes away and comes back; the API says so and recovers by itself. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../../../../testing/app.ts";
import { patienceMs } from "../../../../testing/patience.ts";
import { type CutLine, createCutLine } from "../../../../testing/platform/cut-line.ts";
import { oddRoutes, orderRoutes } from "../../../../testing/platform/routes.ts";
import { asOwner } from "../../../../testing/work.ts";
import { createLogger } from "../../logger.ts";

const held: { line?: CutLine; made: () => Promise<void> } = { made: async () => {} };
const bugs: string[] = [];
const testing: TestApp = await createTestApp({
  log: createLogger({ level: "error", destination: { write: (entry) => bugs.push(entry) } }),
  extraRoutes: [...orderRoutes({ made: () => held.made() }), ...oddRoutes(() => testing.db)],
  reach: async (url) => {
    held.line = await createCutLine(url);
    return held.line.url;
  },
});
const { call } = testing;
const order = { amount: 1, currency: "NGN" };

function line(): CutLine {
  if (held.line === undefined) throw new Error("the app was made without its line");
  return held.line;
}

const served = () =>
  vi.waitFor(async () => expect((await call("GET", "/odd/database")).statusCode).toBe(200), patienceMs);

describe("while the database is away", () => {
  test("requests get 503 in their family, and are served again once it is back", async () => {
    await served();
    await line().cut();
    const read = await call("GET", "/odd/database");
    expect([read.statusCode, read.json().code, read.headers["retry-after"]]).toEqual([503, "unavailable", "2"]);
    const write = await call("POST", "/loans/orders", { body: order });
    expect([write.statusCode, write.json()]).toEqual([
      503,
      expect.objectContaining({ status: "error", code: "unavailable" }),
    ]);
    await line().mend();
    await served();
    expect((await call("POST", "/loans/orders", { body: order })).statusCode).toBe(201);
  });

  test("the process is alive but not ready", async () => {
    await served();
    const ready = await call("GET", "/readyz");
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { status: "ready", checks: { database: "ok", disk: "ok", migrations: "ok" } },
    ]);
    await line().cut();
    const away = await call("GET", "/readyz");
    expect([away.statusCode, away.json().status, away.json().checks.database]).toEqual([503, "not_ready", "failing"]);
    expect((await call("GET", "/healthz")).json()).toEqual({ status: "ok" });
    await line().mend();
    await served();
    expect((await call("GET", "/readyz")).statusCode).toBe(200);
  });

  test("a database that takes connections and does not reply is noticed within two seconds", async () => {
    await served();
    line().swallow();
    const ready = await Promise.race([call("GET", "/readyz"), pause(2_000)]);
    await line().mend();
    expect(ready?.statusCode).toBe(503);
    await served();
  });
});

test("a database that takes no writes is away for writers, and the server is not ready", async () => {
  await served();
  await setReadOnly("= on");
  await line().cut();
  await line().mend();
  // Keeping the reply is the write.
  const keep = () => call("POST", "/orders", { body: order, headers: { "idempotency-key": "written-down" } });
  const write = await vi.waitFor(async () => {
    const reply = await keep();
    expect(reply.json().code).toBe("unavailable");
    return reply;
  }, patienceMs);
  expect([write.statusCode, write.headers["retry-after"]]).toEqual([503, "2"]);
  expect((await call("GET", "/readyz")).json().checks.database).toBe("failing");
  expect((await call("GET", "/odd/database")).statusCode).toBe(200);
  // Its connections stay open, as those to a primary that was demoted would.
  await setReadOnly("to default");
  await vi.waitFor(async () => expect((await keep()).statusCode).toBe(201), patienceMs);
  await vi.waitFor(async () => expect((await call("GET", "/readyz")).statusCode).toBe(200), patienceMs);
});

test("a database that refuses logins is away, and nobody is told of a bug", async () => {
  await served();
  await allowConnections(false);
  await line().cut();
  await line().mend();
  const read = await call("GET", "/odd/database");
  expect([read.statusCode, read.json().code, read.headers["retry-after"]]).toEqual([503, "unavailable", "2"]);
  const write = await call("POST", "/loans/orders", { body: order });
  expect([write.statusCode, write.headers["retry-after"]]).toEqual([503, "2"]);
  await allowConnections(true);
  await served();
  expect(bugs).toEqual([]);
});

const databaseName = (): string => new URL(testing.appUrl).pathname.slice(1);

/** From another database: nobody can shut the one they are in. */
function allowConnections(allow: boolean): Promise<void> {
  const beside = new URL(testing.ownerUrl);
  beside.pathname = "/postgres";
  return asOwner(beside.toString(), `alter database ${databaseName()} allow_connections ${allow}`);
}

/** For connections that are opened from now on. */
async function setReadOnly(value: "= on" | "to default"): Promise<void> {
  const name = databaseName();
  await asOwner(
    testing.ownerUrl,
    `begin read write; alter database ${name} set default_transaction_read_only ${value}; commit`,
  );
}

test("a connection that breaks in the middle of a write gives 503, and the same key works afterwards", async () => {
  await served();
  held.made = () => line().cut();
  const headers = { "idempotency-key": "in-the-middle" };
  const broken = await call("POST", "/orders", { body: order, headers });
  expect([broken.statusCode, broken.json().code]).toEqual([503, "unavailable"]);
  held.made = async () => {};
  await line().mend();
  await served();
  expect((await call("POST", "/orders", { body: order, headers })).statusCode).toBe(201);
});
