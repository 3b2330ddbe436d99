/** A database's clock that was a day ahead for a moment: what was booked in that moment does not wait for the day. */
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { asOwner, silentLog, withOwner } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { createLogger } from "../logger.ts";
import { schedule } from "./agenda.ts";
import { bringForward } from "./bring-forward.ts";

const testing = await createTestApp();
const { call, db, merchant, operate, ownerUrl } = testing;
const kind = [...testing.tasks.kinds.keys()][0] ?? "";

const misdated = async () => {
  const queues: { kind: string; environment: string; misdated: number }[] = (
    await operate("GET", "/operator/queues")
  ).json().data;
  return Object.fromEntries(queues.flatMap((one) => (one.misdated === 0 ? [] : [[one.kind, one.misdated]])));
};

const read = <Row extends object>(statement: string) =>
  withOwner(ownerUrl, async (owner) => (await owner.query<Row>(statement)).rows);

/** How far ahead an entry is due by either time, to the second. */
const dueIn = (subject: string) =>
  read<{ due: number; wake: number }>(
    `select round(extract(epoch from due_at - now()))::integer as due,
       round(extract(epoch from wake_at - now()))::integer as wake
     from agenda where subject = '${subject}'`,
  );

const book = (subject: string, inSeconds: number) =>
  inEnvironment(db, merchant.environment.id, (tx) =>
    schedule(tx, [{ kind, subject, dueAt: tx.environment.clock.after(inSeconds * 1_000) }]),
  );

beforeAll(async () => {
  await call("POST", "/webhooks/endpoints", { body: { url: "http://127.0.0.1:9/hook", events: ["*"] } });
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 } });
  const body = { accountNumber: "0123456789", bankCode: "058", amount: 100, currency: "NGN", reference: "ahead-1" };
  expect((await call("POST", "/transfers", { body })).statusCode).toBe(201);
  await inEnvironment(db, merchant.environment.id, (tx) => sql`select sequence_events(100)`.execute(tx));
  await book("in seconds", 5);
  await book("in a month", 30 * 86_400);
  await inEnvironment(db, merchant.environment.id, (tx) => schedule(tx, [{ kind, subject: "now" }]));
});

test("work that waits as long as its kind may is left as it is", async () => {
  expect(await misdated()).toEqual({});
  const before = await read("select claim_at from transfers union all select wake_at from agenda order by 1");
  await bringForward(db, silentLog);
  expect(await read("select claim_at from transfers union all select wake_at from agenda order by 1")).toEqual(before);
});

describe("after a jump", () => {
  const told: unknown[] = [];

  beforeAll(async () => {
    await asOwner(
      ownerUrl,
      `update transfers set claim_at = claim_at + interval '1 day';
       update webhook_deliveries set claim_at = claim_at + interval '1 day', due_at = due_at + interval '1 day'
         where claim_at is not null;
       update agenda set due_at = due_at + interval '1 day', wake_at = wake_at + interval '1 day',
         booked_at = booked_at + interval '1 day';
       update pgboss.job set start_after = start_after + interval '1 day', created_on = created_on + interval '1 day';
       update pgboss.queue set monitor_claim_on = now() + interval '1 day'`,
    );
  });

  test("the operator sees what waits too long", async () => {
    expect(await misdated()).toEqual({ transfers: 1, deliveries: expect.any(Number), agenda: 2, jobs: 1 });
  });

  test("it is due again, and what was booked for later keeps its distance", async () => {
    const destination = { write: (line: string) => void told.push(JSON.parse(line)) };
    await bringForward(db, createLogger({ level: "warn", destination }));
    expect(await misdated()).toEqual({});
    expect(await read("select claim_at <= now() as due from transfers")).toEqual([{ due: true }]);
    const deliveries = await read<{ soon: boolean }>(
      `select claim_at <= now() + interval '1 minute' and due_at <= now() as soon
       from webhook_deliveries where claim_at is not null`,
    );
    expect(new Set(deliveries.map(({ soon }) => soon))).toEqual(new Set([true]));
    const [seconds] = await dueIn("in seconds");
    expect([(seconds?.due ?? 0) <= 6, (seconds?.wake ?? 0) <= 6]).toEqual([true, true]);
    const [month] = await dueIn("in a month");
    expect([(month?.due ?? 0) / 86_400, (month?.wake ?? 0) / 86_400]).toEqual([
      expect.closeTo(30, 1),
      expect.closeTo(30, 1),
    ]);
    expect(await read("select start_after <= now() as due from pgboss.job")).toEqual([{ due: true }]);
    expect(await read("select from pgboss.queue where monitor_claim_on is not null")).toEqual([]);
  });

  test("the log says so, once for each kind", () => {
    expect(told).toMatchObject([
      { kind: "transfers", count: 1 },
      { kind: "deliveries" },
      { kind: "agenda", count: 2 },
      { kind: "jobs", count: 1 },
    ]);
  });
});

test("an order that a worker has in hand keeps it for a usual lease", async () => {
  await asOwner(ownerUrl, "update transfers set status = 'processing', claim_at = now() + interval '1 day'");
  await bringForward(db, silentLog);
  const [row] = await read<{ seconds: number }>(
    "select extract(epoch from claim_at - now())::float8 as seconds from transfers",
  );
  expect(row?.seconds).toBeGreaterThan(0);
  expect(row?.seconds).toBeLessThanOrEqual(60);
});
