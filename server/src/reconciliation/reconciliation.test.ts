import { describe, expect, test } from "vitest";
import { createComparedDays, kindsOf } from "../../testing/providers/compared-days.ts";
import { systemAccountId } from "../ledger/account.ts";

const { app, twin, connection, compare, pay, at, stranger } = await createComparedDays("2026-01-01");
const { owner, work } = app;
const address = await app.app.listen({ port: 0, host: "127.0.0.1" });

/** Books so much more, or less, for a payout on the account of the bank. */
const plantPosting = (transferId: string, kobo: number) =>
  owner(`
    insert into ledger_transactions (environment_id, id, posted_at, resource_id, kind, resource_type)
    values ('${app.liveEnvironmentId}', uuidv7(), now(), '${transferId}', 'transfer.completed', 'transfer');
    insert into entries (environment_id, transaction_id, account_id, amount, posted_at)
    select environment_id, id, a.account, a.amount, now() from (
      select environment_id, id from ledger_transactions where resource_id = '${transferId}' order by id desc
      limit 1) t,
      (values ('${systemAccountId(app.liveEnvironmentId, "bank_settlement")}'::uuid, ${kobo}),
        ('${systemAccountId(app.liveEnvironmentId, "outside")}'::uuid, ${-kobo})) as a (account, amount)`);

async function statusOf(id: string): Promise<string> {
  const response = await app.operate("GET", `/operator/transfers/${id}`);
  return response.json().data.status;
}

/** The provider hints at the order, and we ask. */
async function askAbout(sessionId: string): Promise<void> {
  await twin.sendHook(`${address}/rails/${connection}/hook`, "transfer.success", { reference: sessionId });
  await work("hints of providers");
}

describe("a day with a provider", () => {
  test("is clean when orders, ledger and the provider's list agree, and says the sums", async () => {
    await pay();
    await pay(at("00:00:00"));
    await pay(at("23:59:59.999"), { amount: 7_500.5 });
    const run = await compare();
    expect(run).toMatchObject({
      state: "clean",
      version: 1,
      counts: { orders: 3, records: 3, agreed: 3, waiting: 0, exceptions: 0 },
      exceptions: [],
      failure: null,
    });
    expect(run.totals).toEqual([
      {
        kind: "payout",
        orders: 12_500.5,
        ledger: 12_500.5,
        provider: 12_500.5,
        ordersLessLedger: 0,
        ordersLessProvider: 0,
      },
    ]);
  });

  test("of which nothing is known on either side is clean", async () => {
    expect(await compare()).toMatchObject({ state: "clean", counts: { orders: 0, records: 0 } });
  });

  test("of which a payout failed on both sides is clean, and has no sums", async () => {
    twin.bank.outcome = "failed";
    await pay();
    const run = await compare();
    expect(run).toMatchObject({ state: "clean", counts: { orders: 1, records: 1, agreed: 1 } });
    expect(run.totals).toMatchObject([{ orders: 0, ledger: 0, provider: 0 }]);
  });

  test("may be today", async () => {
    const today = String(Temporal.Now.plainDateISO("Africa/Lagos"));
    const { sessionId } = await app.payAt(new Date());
    const run = await app.compare(connection, today);
    expect(run.exceptions.filter(({ ours }) => ours?.["orderId"] === sessionId)).toEqual([]);
    expect(["clean", "exceptions"]).toContain(run.state);
  });
});

describe("a difference is found", () => {
  test("when the provider has no record", async () => {
    const { id, sessionId } = await pay();
    await pay();
    twin.bank.listed.lose(sessionId);
    const run = await compare();
    expect(run).toMatchObject({ state: "exceptions", counts: { orders: 2, records: 1, agreed: 1, exceptions: 1 } });
    expect(run.exceptions).toMatchObject([
      {
        kind: "missing_at_provider",
        ours: { type: "transfer", id, orderId: sessionId, status: "success", amount: 2_500, ledger: 2_500 },
        theirs: null,
        ageDays: 0,
        resolvedBy: null,
      },
    ]);
    expect(run.totals).toMatchObject([{ orders: 5_000, provider: 2_500, ordersLessProvider: 2_500 }]);
  });

  test("when we have no order", async () => {
    await pay();
    twin.bank.listed.add(stranger());
    const run = await compare();
    expect(run.exceptions).toMatchObject([
      { kind: "missing_with_us", ours: null, theirs: { orderId: "somebody-elses-order", amount: 7_000, fee: 25 } },
    ]);
    expect(run.totals).toMatchObject([{ ordersLessProvider: -7_000 }]);
  });

  test("when the provider has a second payment under our id", async () => {
    const { sessionId } = await pay();
    twin.bank.listed.add(stranger({ reference: sessionId, amount: 250_000, fee: 1_000 }));
    expect(kindsOf(await compare())).toEqual(["missing_with_us"]);
  });

  test("when a second payment under our id is on another day than the first", async () => {
    const { sessionId } = await pay();
    twin.bank.listed.add(stranger({ reference: sessionId, amount: 250_000, createdAt: at("09:00:00", 1) }));
    expect(await compare()).toMatchObject({ state: "clean" });
    expect(kindsOf(await compare(1))).toEqual(["missing_with_us"]);
  });

  test("when the amount is another", async () => {
    const { sessionId } = await pay();
    twin.bank.listed.change(sessionId, { amount: 250_001 });
    const run = await compare();
    expect(run.exceptions).toMatchObject([
      { kind: "amount_differs", ours: { amount: 2_500, ledger: 2_500 }, theirs: { amount: 2_500.01 } },
    ]);
  });

  test.each([
    ["success", "failed", "failure"],
    ["success", "reversed", "taken_back"],
    ["success", "pending", "open"],
    ["failed", "success", "success"],
    ["failed", "pending", "open"],
  ] as const)("when it is %s with us and %s at the provider", async (ours, theirs, status) => {
    twin.bank.outcome = ours;
    const { sessionId } = await pay();
    twin.bank.listed.change(sessionId, { status: theirs });
    const run = await compare();
    expect(run.exceptions).toMatchObject([{ kind: "status_differs", theirs: { status, word: theirs } }]);
  });

  test("when the bank took back what we were never told of, and by asking so do we", async () => {
    const { id, sessionId } = await pay();
    twin.bank.settle(sessionId, "reversed");
    expect(kindsOf(await compare())).toEqual(["status_differs"]);
    await work("hints of providers");
    expect(await statusOf(id)).toBe("reversed");
    expect(await compare()).toMatchObject({ state: "clean" });
  });

  test("when only the list says it was taken back, and asking moves nothing", async () => {
    const { id, sessionId } = await pay();
    twin.bank.listed.change(sessionId, { status: "reversed" });
    expect(kindsOf(await compare())).toEqual(["status_differs"]);
    await work("hints of providers");
    expect(await statusOf(id)).toBe("completed");
    expect(kindsOf(await compare())).toEqual(["status_differs"]);
  });

  test("when the fee is another than the one we were told", async () => {
    twin.bank.outcome = "pending";
    const { sessionId } = await pay();
    twin.bank.settle(sessionId, "success");
    await askAbout(sessionId);
    expect(await compare()).toMatchObject({ state: "clean" });
    twin.bank.listed.change(sessionId, { fee: 1_075 });
    const run = await compare();
    expect(run.exceptions).toMatchObject([{ kind: "fee_differs", ours: { fee: 10 }, theirs: { fee: 10.75 } }]);
  });

  test.each([
    ["success", -250_000, "status_differs", 0],
    ["success", -1, "amount_differs", 2_499.99],
    ["success", 250_000, "amount_differs", 5_000],
    ["failed", 250_000, "status_differs", 2_500],
    ["pending", 250_000, "status_differs", 2_500],
  ] as const)("when it is %s and %d kobo too many are booked", async (outcome, kobo, kind, ledger) => {
    twin.bank.outcome = outcome;
    const { id } = await pay();
    await plantPosting(id, kobo);
    const run = await compare();
    expect(run.exceptions).toMatchObject([{ kind, ours: { ledger } }]);
    expect(run.totals).toMatchObject([{ ledger }]);
  });

  test("once for each thing that differs in one payment", async () => {
    const { sessionId } = await pay();
    twin.bank.listed.change(sessionId, { status: "failed", amount: 1 });
    expect(kindsOf(await compare()).sort()).toEqual(["amount_differs", "status_differs"]);
  });
});
