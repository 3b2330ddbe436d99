/**
 * What becomes of bills when workers die, answers are lost and billers change their minds. Each test ends by comparing
 * two truths that share nothing: our ledger and the books of the simulated biller.
 */
import { beforeEach, expect, test } from "vitest";
import { type BillerFaults, withBillerFaults } from "../../../testing/payments/biller-faults.ts";
import { type BillsApp, createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";
import { silentLog } from "../../../testing/work.ts";
import { createGroupCommit } from "../../ledger/group-commit.ts";
import { kobo } from "../../money/kobo.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import type { VendAnswer } from "../../rails/biller.ts";
import { deskOf } from "../../rails/desk.ts";
import { type BillerTimeLimits, withBillerTimeLimits } from "../../rails/time-limits.ts";
import { pursueBills } from "./bill-order.ts";
import { startSending } from "./bill-store.ts";
import { billSweepSources } from "./bills.job.ts";
import { reverseBill } from "./steer-bill.ts";

let app: BillsApp;
beforeEach(async () => {
  app = await createBillsApp();
});

const limits: BillerTimeLimits = { validateMs: 1_000, vendMs: 1_000, queryMs: 1_000 };

/** As the server wires it: an adapter that throws has not answered. */
function faulty(faults: BillerFaults) {
  const biller = withBillerFaults(app.rails.simulatedBiller.rail, faults);
  return { ...biller, rail: withBillerTimeLimits(biller.rail, limits, () => undefined) };
}

async function sold(ending = "", body = {}): Promise<string> {
  return (await app.vend("airtime", { reference: freshReference(ending), ...body })).json().data.id;
}

async function expectAgreement(deliveredKobo: bigint): Promise<void> {
  expect(await app.truths()).toEqual({ ours: kobo(deliveredKobo), theirs: kobo(deliveredKobo) });
  expect(await app.differences()).toEqual([]);
}

/** A worker that is killed between its commit and its call: the bill has started and its lease is over, no order left. */
async function startAndDie(id: string): Promise<void> {
  const start = { id, connectionId: null, requestIds: "uuid" } as const;
  await inEnvironment(app.db, app.merchant.environment.id, (tx) => startSending(tx, [start]));
}

test("a biller that answers 5xx after it delivered is asked, and is neither paid twice nor failed", async () => {
  const id = await sold();
  const biller = faulty({ errorsAfterDelivery: 1 });
  await app.work(biller.rail);
  expect(await app.read(id)).toMatchObject({ status: "processing", completedAt: null });
  await app.advance(5, biller.rail);
  expect(await app.read(id)).toMatchObject({ status: "successful", receiptNumber: expect.any(String) });
  expect(await app.attempts(id)).toBe(1);
  expect(biller.queries()).toBe(1);
  expect(await app.events(id)).toEqual(["bill.successful"]);
  await expectAgreement(100_000n);
});

test("a lost answer is found by asking, within about five seconds", async () => {
  const id = await sold("_TIMEOUT");
  await app.work();
  expect((await app.read(id))["status"]).toBe("processing");
  await app.advance(5);
  expect((await app.read(id))["status"]).toBe("successful");
  expect(await app.attempts(id)).toBe(1);
  await expectAgreement(100_000n);
});

test("a biller that answers twice delivers once and is paid once", async () => {
  const id = await sold();
  const biller = faulty({ doubledOrders: 1 });
  await app.work(biller.rail);
  expect(await app.read(id)).toMatchObject({ status: "successful" });
  expect(await app.attempts(id)).toBe(2);
  expect(await app.events(id)).toEqual(["bill.successful"]);
  expect(await app.balance()).toEqual({ available: 999_025, held: 0 });
  await expectAgreement(100_000n);
});

test("two workers that hear opposite answers about one bill at the same time give it one outcome", async () => {
  const before = await app.balance();
  const id = await sold("_TIMEOUT");
  await app.work();
  // Neither hears anything before both have asked.
  const bothAsked = Promise.withResolvers<void>();
  let asked = 0;
  const hearing = (answer: VendAnswer) => {
    const query = async () => {
      asked += 1;
      if (asked === 2) bothAsked.resolve();
      await bothAsked.promise;
      return answer;
    };
    const rails = { biller: deskOf({ SANDBOX: { ...app.rails.simulatedBiller.rail, query }, LIVE: null }) };
    const { db } = app;
    // Each is a process of its own: nothing but the database stands between them.
    const groupCommit = createGroupCommit({ db, sealer: app.dependencies.sealer, slots: 1 });
    const key = { environmentId: app.merchant.environment.id, environment: "SANDBOX", id } as const;
    return pursueBills({ db, groupCommit, rails, log: silentLog }).takeUp(key);
  };
  await Promise.all([
    hearing({ outcome: "failure", code: "vend_refused", message: "No." }),
    hearing({ outcome: "success", delivery: { token: null, units: null, receiptNumber: "R-1" } }),
  ]);
  const { status } = await app.read(id);
  expect(await app.events(id)).toEqual([`bill.${status}`]);
  const available = status === "failed" ? before.available : before.available - 975;
  expect(await app.balance()).toEqual({ available, held: 0 });
  expect(await app.differences()).toEqual([]);
});

test("a biller that reverses a day later gives the money back and takes the commission back", async () => {
  const before = await app.balance();
  const id = await sold();
  await app.work();
  expect((await app.balance()).available).toBe(before.available - 975);
  await app.advance(86_400);
  const environmentId = app.merchant.environment.id;
  expect(await app.rails.simulatedBiller.reverse(environmentId, id)).toBe(true);
  const notice = { environmentId, id };
  // The notice comes twice, and once more.
  await Promise.all([reverseBill(app, notice), reverseBill(app, notice)]);
  expect(await reverseBill(app, notice)).toBe(true);
  expect(await app.read(id)).toMatchObject({ status: "reversed", failureReason: { code: "reversed_by_biller" } });
  expect(await app.events(id)).toEqual(["bill.successful", "bill.reversed"]);
  expect(await app.balance()).toEqual(before);
  const lines = (await app.call("GET", "/wallets/transactions?limit=2")).json().data;
  expect(lines).toMatchObject([
    { type: "bill.commission_reversed", direction: "debit", amount: 25 },
    { type: "bill.reversed", direction: "credit", amount: 1000 },
  ]);
  await expectAgreement(0n);
});

test("a reversal leaves a wallet that was emptied meanwhile at what came back less the commission", async () => {
  const id = await sold("", { amount: 50_000 });
  await app.work();
  for (let rest = 951_250; rest > 0; rest -= 50_000) {
    await app.vend("airtime", { amount: Math.min(rest, 50_000) });
  }
  const left = (await app.balance()).available;
  await app.call("POST", `/sandbox/bills/${id}/reverse`);
  expect((await app.balance()).available).toBeCloseTo(left + 50_000 - 1250, 2);
  expect(await app.differences()).toEqual([]);
});

test("a delivery that is taken back about three seconds later is successful first and then reversed", async () => {
  const before = await app.balance();
  const id = await sold("_REVERSE");
  await app.work();
  expect((await app.read(id))["status"]).toBe("successful");
  await app.advance(3);
  expect((await app.read(id))["status"]).toBe("reversed");
  expect(await app.balance()).toEqual(before);
  await expectAgreement(0n);
});

test("a delivery taken back before we heard of it is successful first and then reversed", async () => {
  const id = await sold("_REVERSE");
  const biller = faulty({ errorsAfterDelivery: 1, lateAnswers: 3 });
  await app.work(biller.rail);
  await app.advance(10, biller.rail);
  expect((await app.read(id))["status"]).toBe("processing");
  await app.advance(300, biller.rail);
  expect(await app.events(id)).toEqual(["bill.successful", "bill.reversed"]);
  await expectAgreement(0n);
});

test("a worker killed between its commit and its call leaves a bill that is ordered later, once", async () => {
  const id = await sold();
  await startAndDie(id);
  expect((await app.read(id))["status"]).toBe("processing");
  const biller = faulty({});
  await app.work(biller.rail);
  // The biller has no record, and the settle window is not over: nothing is ordered on a guess.
  expect(biller.orders).toHaveLength(0);
  await app.advance(10, biller.rail);
  expect(biller.orders).toHaveLength(1);
  expect((await app.read(id))["status"]).toBe("successful");
  await expectAgreement(100_000n);
});

test("neither a worker that dies before the order leaves nor a forgetful biller makes a second delivery", async () => {
  const id = await sold();
  const biller = faulty({ crashBeforeVend: 1, forgottenRecords: 1 });
  await app.work(biller.rail);
  await app.advance(30, biller.rail);
  expect((await app.read(id))["status"]).toBe("successful");
  expect(biller.orders).toHaveLength(1);
  await expectAgreement(100_000n);
});

test("a biller that does not recognise request ids is never sent a second order; an operator decides", async () => {
  const id = await sold();
  await startAndDie(id);
  const biller = faulty({});
  const forgetful = { ...biller.rail, deduplicatesByRequest: false };
  await app.work(forgetful);
  await app.advance(86_400, forgetful);
  expect(biller.orders).toHaveLength(0);
  expect((await app.read(id))["status"]).toBe("processing");
});

test("what is undecided is delivered when the clock moves a day", async () => {
  const id = await sold("_PENDING");
  await app.work();
  await app.advance(3_600);
  expect((await app.read(id))["status"]).toBe("processing");
  await app.advance(86_400);
  expect((await app.read(id))["status"]).toBe("successful");
  await expectAgreement(100_000n);
});

test("of two workers on the same bills each is vended by one and has one outcome", async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => sold()));
  const [one, other] = [faulty({}), faulty({})];
  await Promise.all([app.work(one.rail), app.work(other.rail)]);
  const requests = [...one.orders, ...other.orders].map((order) => order.requestId);
  expect(requests.sort()).toEqual(ids.sort());
  for (const id of ids) expect(await app.events(id)).toEqual(["bill.successful"]);
  await expectAgreement(4_000_000n);
});

test("a bill that nothing would ever move again is found by the sweeper", async () => {
  const id = await sold("_TIMEOUT");
  await app.work();
  await inEnvironment(app.db, app.merchant.environment.id, (tx) => tx.deleteFrom("agenda").execute());
  expect(await sweep(app.db, billSweepSources, silentLog)).toBe(1);
  expect(await sweep(app.db, billSweepSources, silentLog)).toBe(0);
  expect((await app.read(id))["status"]).toBe("processing");
});
