/** What one person may pay alone, and what a second one has to agree to. */
import { describe, expect, test } from "vitest";
import { signIn, type Visitor } from "../../testing/console.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { asOwner } from "../../testing/work.ts";
import { readEnvironment } from "../platform/database/database.ts";
import { verifyApprovals } from "./verify-approvals.ts";

const testing = await createPayingApp();
const { call, db, ownerUrl, merchant } = testing;
const environmentId = merchant.environment.id;
const owner = await signIn(testing, { email: "owner@example.com", role: "owner" });
const checker = await signIn(testing, { email: "checker@example.com", role: "finance" });
const viewer = await signIn(testing, { email: "viewer@example.com", role: "viewer" });

let people = 0;
/** Somebody who has not paid anything yet. */
const maker = () => {
  people += 1;
  return signIn(testing, { email: `maker-${people}@example.com`, role: "finance" });
};

let accounts = 0;
/** To an account of its own: the same account is not paid the same amount twice in a row by hand. */
const freshAccount = () => {
  accounts += 1;
  return `06900${String(accounts).padStart(5, "0")}`;
};
const payout = (amount: number, more: object = {}) => ({
  accountNumber: freshAccount(),
  bankCode: "044",
  amount,
  currency: "NGN",
  reference: freshReference(),
  ...more,
});
const batch = (...amounts: number[]) => ({
  batchReference: freshReference(),
  currency: "NGN",
  transfers: amounts.map((amount) => {
    const { currency: _, ...item } = payout(amount);
    return item;
  }),
});

const setLimit = async (amount: number | null) =>
  expect((await owner.call("PUT", "/approval-limits", { amount })).statusCode).toBe(200);
const ask = async (by: Visitor, body: object) => (await by.call("POST", "/approvals", body)).json().data;
const codeOf = async (reply: Promise<{ json(): { code?: string } }>) => (await reply).json().code;
const transferOf = async (reference: string) =>
  (await call("GET", `/transfers/verify?reference=${reference}`)).json().data;
const differences = () => readEnvironment(db, environmentId, verifyApprovals);

describe("the limit", () => {
  test("is none until an owner sets it, and only owners do", async () => {
    const { data } = (await owner.call("GET", "/approval-limits")).json();
    expect(data).toEqual({ amount: null, setBy: null, setAt: null, spent: 0 });
    const ada = await maker();
    expect((await ada.call("POST", "/transfers", payout(9_000_000))).statusCode).toBe(201);
    for (const one of [checker, viewer]) {
      expect(await codeOf(one.call("PUT", "/approval-limits", { amount: 5 }))).toBe("scope_missing");
    }
    expect(await codeOf(owner.call("PUT", "/approval-limits", { amount: -1 }))).toBe("validation_failed");
    await setLimit(50_000);
    expect((await ada.call("GET", "/approval-limits")).json().data).toMatchObject({
      amount: 50_000,
      setBy: "owner@example.com",
      spent: 9_000_000,
    });
  });

  test("counts what a person paid within a day, so that nothing is gained by splitting", async () => {
    await setLimit(50_000);
    const ada = await maker();
    expect((await ada.call("POST", "/transfers", payout(30_000))).statusCode).toBe(201);
    const second = await ada.call("POST", "/transfers", payout(20_000.01));
    expect(second.statusCode).toBe(403);
    expect(second.json()).toMatchObject({
      code: "approval_needed",
      data: { limit: 50_000, spent: 30_000, amount: 20_000.01 },
    });
    expect(await codeOf(ada.call("POST", "/transfers/bulk", batch(10_000, 10_001)))).toBe("approval_needed");
    expect((await ada.call("POST", "/transfers/bulk", batch(10_000, 10_000))).statusCode).toBe(201);
    expect(await codeOf(ada.call("POST", "/transfers", payout(100)))).toBe("approval_needed");
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 86_401 } });
    expect((await ada.call("POST", "/transfers", payout(50_000))).statusCode).toBe(201);
  });

  test("of many attempts at once only those pass that fit together", async () => {
    await setLimit(50_000);
    const ada = await maker();
    const replies = await Promise.all(Array.from({ length: 8 }, () => ada.call("POST", "/transfers", payout(20_000))));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 403, 403, 403, 403, 403, 403]);
  });

  test("does not count what was refused, nor what is sent again", async () => {
    await setLimit(50_000);
    const ada = await maker();
    const order = payout(30_000);
    expect((await ada.call("POST", "/transfers", order)).statusCode).toBe(201);
    expect((await ada.call("POST", "/transfers", order)).statusCode).toBe(200);
    expect(await codeOf(ada.call("POST", "/transfers", payout(15_000, { bankCode: "000" })))).toBe("unknown_bank");
    const mismatch = payout(15_000, { accountName: "SOMEBODY ELSE" });
    expect(await codeOf(ada.call("POST", "/transfers", mismatch))).toBe("account_name_mismatch");
    expect((await ada.call("GET", "/approval-limits")).json().data.spent).toBe(30_000);
    // The reference is known: other content under it is a conflict, and pays nothing.
    expect(await codeOf(ada.call("POST", "/transfers", { ...order, amount: 5_000_000 }))).toBe("reference_conflict");
  });

  test("is not for keys", async () => {
    await setLimit(0);
    expect((await call("POST", "/transfers", { body: payout(100_000) })).statusCode).toBe(201);
    const ada = await maker();
    expect(await codeOf(ada.call("POST", "/transfers", payout(100)))).toBe("approval_needed");
    await setLimit(null);
    expect((await ada.call("POST", "/transfers", payout(100))).statusCode).toBe(201);
  });
});

describe("an order that waits", () => {
  test("shows the second person the name, the fee and the wallet, and is paid once when they agree", async () => {
    const ada = await maker();
    const order = payout(100_000, { nameEnquiryReference: "gone-by-then", narration: "Rice" });
    const { id, status, isOwn } = await ask(ada, { payout: order, note: "For the market" });
    expect([status, isOwn]).toEqual(["waiting", true]);
    const { available } = await testing.balance();
    const { data: shown } = (await checker.call("GET", `/approvals/${id}`)).json();
    expect(shown).toMatchObject({ isOwn: false, note: "For the market", amount: 100_000, payoutCount: 1 });
    expect(shown.preview.bankSays).toMatch(/\w/);
    expect(shown.preview.availableAfter).toBeCloseTo(available - 100_000 - shown.preview.fee, 2);
    expect(shown.payouts).toEqual([expect.objectContaining({ accountNumber: order.accountNumber, narration: "Rice" })]);
    const { data } = (await checker.call("POST", `/approvals/${id}/approve`)).json();
    expect(data).toMatchObject({ status: "approved", decidedBy: "checker@example.com" });
    expect(await transferOf(order.reference)).toMatchObject({ id: data.transferId, amount: 100_000 });
    expect((await testing.balance()).available).toBeCloseTo(shown.preview.availableAfter, 2);
    const after = await checker.call("POST", `/approvals/${id}/approve`);
    expect([after.statusCode, after.json().data]).toEqual([409, { status: "approved" }]);
    expect((await checker.call("GET", `/approvals/${id}`)).json().data.preview).toBeNull();
    expect(await differences()).toEqual([]);
  });

  test("a batch is paid as a whole", async () => {
    const ada = await maker();
    const order = batch(1_000, 2_000.5);
    const { id, amount, payoutCount } = await ask(ada, { batch: order });
    expect([amount, payoutCount]).toEqual([3_000.5, 2]);
    const { preview } = (await checker.call("GET", `/approvals/${id}`)).json().data;
    expect(preview.totalDebit).toBeCloseTo(3_000.5 + preview.fee, 2);
    const { batchId } = (await checker.call("POST", `/approvals/${id}/approve`)).json().data;
    expect((await call("GET", `/transfers/bulk/${batchId}`)).json().data).toMatchObject({ totalAmount: 3_000.5 });
    expect(await differences()).toEqual([]);
  });

  test("a batch shows the narration with which each item will be paid", async () => {
    const { transfers, ...rest } = batch(200, 300);
    const [first, ...others] = transfers.map((item) => ({ ...item, narration: "Rent" }));
    const items = [first, ...others.map(({ narration: _, ...item }) => item)];
    const { id } = await ask(await maker(), { batch: { ...rest, transfers: items, narration: "October" } });
    const shown = (await checker.call("GET", `/approvals/${id}`)).json().data;
    expect(shown.payouts.map(({ narration }: { narration: string }) => narration)).toEqual(["Rent", "October"]);
    expect((await checker.call("POST", `/approvals/${id}/approve`)).statusCode).toBe(200);
    const paid = await Promise.all(transfers.map(({ reference }) => transferOf(reference)));
    expect(paid.map(({ narration }) => narration)).toEqual(["Rent", "October"]);
  });

  test.each([
    ["amount_above_maximum", { amount: 10_000_000.01 }],
    ["amount_below_minimum", { amount: 50 }],
    ["unknown_bank", { bankCode: "000" }],
  ])("can be read and rejected, and is not paid, when it would be refused today with %s", async (code, change) => {
    const { id } = await ask(await maker(), { payout: payout(5_000) });
    // As if the rule had been another one when it was asked for.
    await asOwner(ownerUrl, `update approvals set asked = asked || '${JSON.stringify(change)}' where id = '${id}'`);
    const shown = await checker.call("GET", `/approvals/${id}`);
    expect(shown.statusCode, shown.body).toBe(200);
    expect(await codeOf(checker.call("POST", `/approvals/${id}/approve`))).toBe(code);
    expect((await checker.call("POST", `/approvals/${id}/reject`, {})).statusCode).toBe(200);
    expect((await checker.call("GET", `/approvals/${id}`)).json().data).toMatchObject({
      status: "rejected",
      preview: null,
    });
  });

  test("is not agreed to by its asker, nor by somebody who may not pay, nor by a key", async () => {
    const ada = await maker();
    const { id } = await ask(ada, { payout: payout(1_000) });
    expect(await codeOf(ada.call("POST", `/approvals/${id}/approve`))).toBe("approval_own");
    expect(await codeOf(viewer.call("POST", `/approvals/${id}/approve`))).toBe("scope_missing");
    expect(await codeOf(viewer.call("POST", "/approvals", { payout: payout(1_000) }))).toBe("scope_missing");
    for (const path of ["/approvals", `/approvals/${id}`, "/approval-limits"]) {
      expect((await call("GET", path)).statusCode).toBe(404);
      expect((await call("GET", path, { key: null })).statusCode).toBe(404);
    }
    expect((await call("POST", `/approvals/${id}/approve`)).statusCode).toBe(404);
    // A role that was taken away counts at once.
    const demoted = await maker();
    await asOwner(ownerUrl, `update memberships set role = 'viewer' where person_id = '${demoted.personId}'`);
    expect(await codeOf(demoted.call("POST", `/approvals/${id}/approve`))).toBe("scope_missing");
  });

  test("of two who agree at once one pays; the same request again gets the same reply", async () => {
    const ada = await maker();
    const other = await maker();
    const order = payout(1_500);
    const { id } = await ask(ada, { payout: order });
    const agree = (by: Visitor, key: string) =>
      by.ask("POST", `/console/api/environments/${environmentId}/approvals/${id}/approve`, undefined, {
        "idempotency-key": key,
      });
    const replies = await Promise.all([agree(checker, "one"), agree(other, "two"), agree(checker, "three")]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    const winner = replies.findIndex(({ statusCode }) => statusCode === 200);
    const again = await agree(winner === 1 ? other : checker, ["one", "two", "three"][winner] ?? "");
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(await transferOf(order.reference)).toMatchObject({ amount: 1_500 });
  });

  test("can be rejected with a reason, or taken back by its asker, and is then over", async () => {
    const ada = await maker();
    const first = await ask(ada, { payout: payout(1_000) });
    const { data } = (await checker.call("POST", `/approvals/${first.id}/reject`, { reason: "Too early" })).json();
    expect(data).toMatchObject({ status: "rejected", reason: "Too early", transferId: null });
    expect(await codeOf(checker.call("POST", `/approvals/${first.id}/approve`))).toBe("approval_decided");
    const second = await ask(ada, { batch: batch(1_000) });
    expect((await ada.call("POST", `/approvals/${second.id}/reject`, {})).statusCode).toBe(200);
    expect(await codeOf(checker.call("POST", `/approvals/${second.id}/reject`, {}))).toBe("approval_decided");
  });

  test("is over after seven days, whatever the limit is by then", async () => {
    await setLimit(500);
    const ada = await maker();
    const { id } = await ask(ada, { payout: payout(1_000) });
    await setLimit(5_000);
    expect((await ada.call("GET", "/approvals?waiting=true")).json().data[0]).toMatchObject({ id });
    await call("POST", "/sandbox/clock/advance", { body: { days: 7 } });
    expect((await ada.call("GET", `/approvals/${id}`)).json().data.status).toBe("expired");
    expect(await codeOf(checker.call("POST", `/approvals/${id}/approve`))).toBe("approval_expired");
    expect(await codeOf(checker.call("POST", `/approvals/${id}/reject`, {}))).toBe("approval_expired");
    const waiting = (await ada.call("GET", "/approvals?waiting=true")).json().data as { id: string }[];
    expect(waiting.some((one) => one.id === id)).toBe(false);
    expect((await ada.call("GET", "/approvals")).json().data[0]).toMatchObject({ id });
  });

  test("is refused in the end by a reference used meanwhile, an empty wallet, another name", async () => {
    const ada = await maker();
    const order = payout(1_000);
    const used = await ask(ada, { payout: order });
    await call("POST", "/transfers", { body: order });
    expect(await codeOf(checker.call("POST", `/approvals/${used.id}/approve`))).toBe("reference_conflict");
    const bulk = batch(1_000);
    const usedBulk = await ask(ada, { batch: bulk });
    await call("POST", "/transfers/bulk", { body: bulk });
    expect(await codeOf(checker.call("POST", `/approvals/${usedBulk.id}/approve`))).toBe("reference_conflict");
    const named = await ask(ada, { payout: payout(1_000, { accountName: "SOMEBODY ELSE" }) });
    expect(await codeOf(checker.call("POST", `/approvals/${named.id}/approve`))).toBe("account_name_mismatch");
    const nobody = await ask(ada, { payout: payout(1_000, { accountNumber: "0000000000" }) });
    expect((await checker.call("GET", `/approvals/${nobody.id}`)).json().data.preview.refusal).toMatch(/no account/);
    expect(await codeOf(checker.call("POST", `/approvals/${nobody.id}/approve`))).toBe("account_not_found");
    const down = await ask(ada, { payout: payout(1_000, { bankCode: "999" }) });
    expect(await codeOf(checker.call("POST", `/approvals/${down.id}/approve`))).toBe("bank_unavailable");
    const item = batch(1_000);
    const usedItem = await ask(ada, { batch: item });
    await call("POST", "/transfers", { body: payout(500, { reference: item.transfers[0]?.reference }) });
    expect(await codeOf(checker.call("POST", `/approvals/${usedItem.id}/approve`))).toBe("batch_refused");
    const large = await ask(ada, { batch: batch(...Array.from({ length: 20 }, () => 9_900_000)) });
    expect(await codeOf(checker.call("POST", `/approvals/${large.id}/approve`))).toBe("insufficient_funds");
    expect((await checker.call("GET", `/approvals/${large.id}`)).json().data.status).toBe("waiting");
    expect(await differences()).toEqual([]);
  });

  test("is refused at once when it could never be paid", async () => {
    const ada = await maker();
    expect(await codeOf(ada.call("POST", "/approvals", {}))).toBe("validation_failed");
    expect(await codeOf(ada.call("POST", "/approvals", { payout: payout(1_000), batch: batch(1_000) }))).toBe(
      "validation_failed",
    );
    expect(await codeOf(ada.call("POST", "/approvals", { payout: payout(1) }))).toBe("amount_below_minimum");
    expect(await codeOf(ada.call("POST", "/approvals", { payout: payout(11_000_000) }))).toBe("amount_above_maximum");
    expect(await codeOf(ada.call("POST", "/approvals", { payout: payout(500, { bankCode: "000" }) }))).toBe(
      "unknown_bank",
    );
    const elsewhere = payout(500, { sourceAccountId: "01932c5e-0000-7000-8000-000000000000" });
    expect(await codeOf(ada.call("POST", "/approvals", { payout: elsewhere }))).toBe("source_account_not_found");
    const repeated = batch(500, 500);
    for (const item of repeated.transfers) item.reference = "the-same";
    expect(await codeOf(ada.call("POST", "/approvals", { batch: repeated }))).toBe("batch_refused");
    const missing = "/approvals/01932c5e-0000-7000-8000-000000000000";
    expect(await codeOf(ada.call("GET", missing))).toBe("approval_not_found");
    expect(await codeOf(ada.call("POST", `${missing}/approve`))).toBe("approval_not_found");
    expect(await codeOf(ada.call("POST", `${missing}/reject`, {}))).toBe("approval_not_found");
  });

  test("is not seen from another merchant's environment", async () => {
    const ada = await maker();
    const { id } = await ask(ada, { payout: payout(1_000) });
    const { merchant: theirs, environment } = testing.otherMerchant;
    const eve = await signIn(testing, { email: "eve@example.com", role: "owner", merchantId: theirs.id });
    const there = `/console/api/environments/${environment.id}/approvals/${id}`;
    expect(await codeOf(eve.ask("GET", there))).toBe("approval_not_found");
    expect(await codeOf(eve.ask("POST", `${there}/approve`))).toBe("approval_not_found");
    expect(await codeOf(eve.call("GET", `/approvals/${id}`))).toBe("environment_not_found");
  });
});

test("the server may not change what was asked for, and verify finds a payout that differs", async () => {
  const ada = await maker();
  const order = payout(1_000);
  const { id } = await ask(ada, { payout: order });
  await checker.call("POST", `/approvals/${id}/approve`);
  await asOwner(ownerUrl, `update approvals set amount = amount + 1 where id = '${id}'`);
  expect(await differences()).toEqual([
    expect.objectContaining({ subject: id, expected: `${order.reference} 100001`, found: `${order.reference} 100000` }),
  ]);
  await asOwner(ownerUrl, `update approvals set amount = amount - 1 where id = '${id}'`);
  const self = `update approvals set decided_by = requested_by where id = '${id}'`;
  await expect(asOwner(ownerUrl, self)).rejects.toThrow(/approvals_by_a_second_person/);
});
