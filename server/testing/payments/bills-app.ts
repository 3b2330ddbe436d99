/** The whole API with money in the main wallet, and a worker for bills that tests drive round by round. */
import type { LightMyRequestResponse } from "fastify";
import { afterAll } from "vitest";
import { billTasks, createBillSender } from "../../src/bills/vending/bills.job.ts";
import { systemAccountId } from "../../src/ledger/account.ts";
import { readBalances } from "../../src/ledger/balance.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { type Kobo, kobo } from "../../src/money/kobo.ts";
import { inEnvironment, readEnvironment } from "../../src/platform/database/database.ts";
import type { Difference } from "../../src/platform/records/difference.ts";
import { createClockControl } from "../../src/platform/time/clock-control.ts";
import { createEnvironmentLocks } from "../../src/platform/time/environment-lock.ts";
import { createHandOver } from "../../src/platform/work/rounds.ts";
import type { BillerRail } from "../../src/rails/biller.ts";
import { deskOf } from "../../src/rails/desk.ts";
import { booksOf } from "../../src/sandbox/in-books.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../app.ts";
import { silentLog, workThrough } from "../work.ts";

type Body = Readonly<Record<string, unknown>>;

export interface BillsApp extends TestApp {
  vend(category: string, body?: Body, headers?: Readonly<Record<string, string>>): Promise<LightMyRequestResponse>;
  read(id: string): Promise<Record<string, unknown>>;
  balance(): Promise<{ available: number; held: number }>;
  /** One round of a worker that takes what waits as far as it gets, by way of `rail`. */
  work(rail?: BillerRail): Promise<void>;
  /** Moves the clock; what falls due reaches the biller by `rail`. */
  advance(seconds: number, rail?: BillerRail): Promise<void>;
  events(id: string): Promise<string[]>;
  /** What left by our ledger and what the biller's own books say it delivered. */
  truths(): Promise<{ readonly ours: Kobo; readonly theirs: Kobo }>;
  differences(): Promise<Difference[]>;
  /** How often orders for a bill arrived at the biller. */
  attempts(id: string): Promise<number>;
}

let made = 0;

export function freshReference(ending = ""): string {
  made += 1;
  return `order-${made}${ending}`;
}

const bodies: Readonly<Record<string, Body>> = {
  airtime: { network: "MTN", phoneNumber: "08031234567", amount: 1000 },
  data: { network: "MTN", phoneNumber: "08031234567", planCode: "mtn-1gb-7d" },
  electricity: {
    provider: "ikeja-electric",
    meterNumber: "45012345678",
    meterType: "prepaid",
    amount: 5000,
    phoneNumber: "08031234567",
  },
  tv: {
    provider: "dstv",
    smartCardNumber: "7023456789",
    packageCode: "dstv-compact",
    subscriptionType: "change",
    phoneNumber: "08031234567",
  },
  betting: { provider: "bet9ja", customerId: "1234567", amount: 1000 },
};

export async function createBillsApp(fundNaira = 1_000_000, options: TestAppOptions = {}): Promise<BillsApp> {
  const app = await createTestApp(options);
  const { call, db, pool, groupCommit, tasks } = app;
  const environmentId = app.merchant.environment.id;
  const locks = createEnvironmentLocks({ url: app.appUrl });
  afterAll(() => locks.close());
  const sending = (rail: BillerRail) => ({
    db,
    groupCommit,
    log: silentLog,
    rails: { biller: deskOf({ SANDBOX: rail, LIVE: null }) },
  });
  const ownRail = app.rails.simulatedBiller.rail;
  await call("POST", "/sandbox/wallets/fund", { body: { amount: fundNaira } });
  return {
    ...app,
    vend: (category, body = {}, headers = {}) =>
      call("POST", `/bills/${category}/vend`, {
        body: { reference: freshReference(), ...bodies[category], ...body },
        headers,
      }),
    read: async (id) => (await call("GET", `/bills/${id}`)).json().data,
    async balance() {
      const { available, held } = (await call("GET", "/wallets/balance")).json().data;
      return { available, held };
    },
    async work(rail = ownRail) {
      const sender = createBillSender({ ...sending(rail), vendingDesk: createHandOver() }, "SANDBOX");
      await workThrough({ step: sender.round, drain: sender.drain });
    },
    async advance(seconds, rail = ownRail) {
      const kinds = new Map([...tasks.kinds, ...billTasks(sending(rail))]);
      await createClockControl({ db, log: silentLog, locks, kinds }).advance(environmentId, { seconds });
    },
    async events(id) {
      const found = await inEnvironment(db, environmentId, (tx) =>
        tx.selectFrom("events").select("event").where("resource_id", "=", id).orderBy("resource_version").execute(),
      );
      return found.map((row) => row.event);
    },
    async truths() {
      const account = systemAccountId(environmentId, "bills_settlement");
      const balances = await readEnvironment(db, environmentId, (tx) => readBalances(tx, [account]));
      const delivered = await booksOf(pool, environmentId).query<{ sum: bigint }>(
        `select coalesce(sum(amount), 0)::bigint as sum from simulated_biller.vends
         where sandbox = $1 and status = 'delivered'`,
        [environmentId],
      );
      return { ours: balances.get(account) ?? kobo(0n), theirs: kobo(delivered.rows[0]?.sum ?? 0n) };
    },
    differences: () => readEnvironment(db, environmentId, verifyLedger),
    async attempts(id) {
      const booked = await booksOf(pool, environmentId).query<{ attempts: number }>(
        "select attempts from simulated_biller.vends where sandbox = $1 and request_id = $2",
        [environmentId, id],
      );
      return booked.rows[0]?.attempts ?? 0;
    },
  };
}
