/** The same payment is not made twice by accident by people who press buttons. */
import { describe, expect, test } from "vitest";
import { signIn, type Visitor } from "../../testing/console.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { mainWalletId } from "../wallets/wallet.ts";

const testing = await createPayingApp();
const { call, merchant } = testing;
const ada = await signIn(testing, { email: "ada@example.com", role: "finance" });
const bola = await signIn(testing, { email: "bola@example.com", role: "owner" });

let accounts = 0;
/** An account that no other test pays. */
const freshAccount = () => {
  accounts += 1;
  return { accountNumber: `06900${String(accounts).padStart(5, "0")}`, bankCode: "044" };
};
const staff = (count: number) => Array.from({ length: count }, (_, n) => ({ ...freshAccount(), amount: 1_000 + n }));
type Row = ReturnType<typeof staff>[number];
/** The same rows under references of their own, as another upload has them. */
const upload = (rows: readonly Row[], ending = "") => ({
  batchReference: freshReference(),
  currency: "NGN",
  transfers: rows.map((row) => ({ ...row, reference: freshReference(ending) })),
});
const payout = (row: Row, reference = freshReference()) => ({ ...row, currency: "NGN", reference });

const send = (by: Visitor, path: string, body: object, again?: string) =>
  by.ask(
    "POST",
    `/console/api/environments/${merchant.environment.id}${path}`,
    body,
    again === undefined ? {} : { "x-jara-pay-again": again },
  );
const pay = (by: Visitor, rows: readonly Row[], again?: string) => send(by, "/transfers/bulk", upload(rows), again);
const later = (time: object) => call("POST", "/sandbox/clock/advance", { body: time });
const codes = (replies: readonly { json(): { code?: string } }[]) => replies.map((reply) => reply.json().code).sort();

describe("a batch", () => {
  test("that was paid in the last seven days stops, and says when it was and by whom", async () => {
    const rows = staff(3);
    const first = await pay(ada, rows);
    expect(first.statusCode, first.body).toBe(201);
    const second = await pay(bola, rows.toReversed());
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({
      code: "payment_repeated",
      data: {
        kind: "batch",
        isWaiting: false,
        recordId: first.json().data.batchId,
        amount: 3_003,
        paidBy: "ada",
        isOwn: false,
        repeatedCount: 3,
      },
    });
    await later({ seconds: 7 * 86_400 + 1 });
    expect((await pay(bola, rows)).statusCode).toBe(201);
  });

  test("of which a corrected file pays a part again stops too, and tells how many rows", async () => {
    const rows = staff(3);
    await pay(ada, rows);
    const [kept] = rows;
    const corrected = [...staff(2), ...(kept === undefined ? [] : [kept])];
    expect((await pay(ada, corrected)).json()).toMatchObject({
      code: "payment_repeated",
      data: { isOwn: true, repeatedCount: 1 },
    });
  });

  test("is paid again by a person who says which payment it repeats, and only once", async () => {
    const rows = staff(2);
    await pay(ada, rows);
    const { paymentId } = (await pay(ada, rows)).json().data;
    const replies = await Promise.all([pay(ada, rows, paymentId), pay(bola, rows, paymentId)]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  });

  test("that two people upload at the same moment passes once", async () => {
    const rows = staff(2);
    const replies = await Promise.all([pay(ada, rows), pay(bola, rows), pay(ada, rows), pay(bola, rows)]);
    expect(codes(replies)).toEqual(["payment_repeated", "payment_repeated", "payment_repeated", undefined]);
  });

  test("whose payouts failed can be paid again; what was paid of it cannot", async () => {
    const rows = staff(2);
    await send(ada, "/transfers/bulk", upload(rows, "_FAIL"));
    await testing.work();
    const [one] = rows;
    expect((await pay(ada, one === undefined ? [] : [one])).statusCode).toBe(201);
    expect((await pay(ada, rows)).json().data).toMatchObject({ repeatedCount: 1 });
  });

  test("that the wallet cannot cover does not count", async () => {
    const rows = staff(30).map((row) => ({ ...row, amount: 9_999_999 }));
    expect(codes([await pay(ada, rows)])).toEqual(["insufficient_funds"]);
    expect(codes([await pay(ada, rows)])).toEqual(["insufficient_funds"]);
  });

  test("of a key is the caller's own affair: references say what is the same", async () => {
    const rows = staff(1);
    for (const _ of [1, 2]) {
      expect((await call("POST", "/transfers/bulk", { body: upload(rows) })).statusCode).toBe(201);
    }
    expect((await pay(ada, rows)).statusCode).toBe(201);
  });
});

describe("an order that waits for a second person", () => {
  test("counts as paid, for a payment and for another order, until it is rejected", async () => {
    const rows = staff(2);
    const { id } = (await send(ada, "/approvals", { batch: upload(rows) })).json().data;
    expect((await pay(bola, rows)).json()).toMatchObject({
      code: "payment_repeated",
      data: { paymentId: id, isWaiting: true, recordId: null, paidBy: "ada" },
    });
    expect(codes([await send(bola, "/approvals", { batch: upload(rows) })])).toEqual(["payment_repeated"]);
    await bola.call("POST", `/approvals/${id}/reject`, {});
    expect((await pay(bola, rows)).statusCode).toBe(201);
  });

  test("is paid when the second person agrees, and counts from then", async () => {
    const rows = staff(2);
    const { id } = (await send(ada, "/approvals", { batch: upload(rows) })).json().data;
    await later({ days: 6 });
    const { batchId } = (await bola.call("POST", `/approvals/${id}/approve`)).json().data;
    await later({ days: 6 });
    expect((await pay(bola, rows)).json().data).toMatchObject({ recordId: batchId, isWaiting: false });
  });
});

describe("a payout", () => {
  test("to the same account of the same amount stops for ten minutes", async () => {
    const [row, other] = staff(2);
    if (row === undefined || other === undefined) throw new Error("no staff");
    const first = await send(ada, "/transfers", payout(row));
    expect(first.statusCode, first.body).toBe(201);
    await later({ seconds: 180 });
    const second = await send(ada, "/transfers", payout(row));
    expect(second.json()).toMatchObject({
      code: "payment_repeated",
      data: { kind: "payout", recordId: first.json().data.id, amount: row.amount, isOwn: true },
    });
    expect(second.json().data.secondsAgo).toBeGreaterThanOrEqual(180);
    expect((await send(ada, "/transfers", payout({ ...row, amount: 7_000 }))).statusCode).toBe(201);
    expect((await send(ada, "/transfers", payout(other))).statusCode).toBe(201);
    expect((await send(ada, "/transfers", payout(row), second.json().data.paymentId)).statusCode).toBe(201);
    await later({ seconds: 601 });
    expect((await send(ada, "/transfers", payout(row))).statusCode).toBe(201);
  });

  test("under the same reference is the same payout, whoever sends it again", async () => {
    const [row] = staff(1);
    if (row === undefined) throw new Error("no staff");
    const order = payout(row);
    const replies = [await send(ada, "/transfers", order), await send(bola, "/transfers", order)];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 200]);
  });

  test("that two people send at the same moment passes once", async () => {
    const [row] = staff(1);
    if (row === undefined) throw new Error("no staff");
    const replies = await Promise.all([ada, bola, ada, bola].map((by) => send(by, "/transfers", payout(row))));
    expect(codes(replies)).toEqual(["payment_repeated", "payment_repeated", "payment_repeated", undefined]);
  });

  test("that was refused, or failed at the bank, does not count", async () => {
    const [row] = staff(1);
    if (row === undefined) throw new Error("no staff");
    const named = { ...payout(row), accountName: "SOMEBODY ELSE" };
    expect(codes([await send(ada, "/transfers", named)])).toEqual(["account_name_mismatch"]);
    expect((await send(ada, "/transfers", payout(row, freshReference("_FAIL")))).statusCode).toBe(201);
    await testing.work();
    expect((await send(ada, "/transfers", payout(row))).statusCode).toBe(201);
  });
});

describe("a review", () => {
  const review = async (rows: readonly object[]) =>
    (await ada.call("POST", "/transfers/bulk/review", { transfers: rows })).json().data;

  test("of another merchant's wallet is refused", async () => {
    const sourceAccountId = mainWalletId(testing.otherMerchant.environment.id);
    const reply = await ada.call("POST", "/transfers/bulk/review", {
      sourceAccountId,
      transfers: upload(staff(1)).transfers,
    });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "source_account_not_found"]);
  });

  test("tells fees, the wallet afterwards and what is wrong, and pays nothing", async () => {
    const [good = {}, ...others] = upload(staff(3)).transfers;
    const before = await testing.balance();
    const data = await review([good, { ...others[0], accountNumber: "12345" }, { ...others[1], bankCode: "000" }]);
    expect(data).toMatchObject({ payableCount: 1, totalAmount: 1_000, totalFee: 10.75, totalDebit: 1_010.75 });
    expect(data.availableAfter).toBeCloseTo(before.available - 1_010.75, 2);
    expect(data.rejected.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, "validation_failed"],
      [2, "unknown_bank"],
    ]);
    expect(data.repeated).toBeNull();
    expect(await testing.balance()).toEqual(before);
  });

  test("names the rows that were paid, and a reference that is the content's own until it was paid", async () => {
    const rows = staff(2);
    const first = await review(upload(rows).transfers);
    expect(await review(upload(rows.toReversed()).transfers)).toMatchObject({ reference: first.reference });
    const paid = upload(rows);
    await send(ada, "/transfers/bulk", paid);
    const again = await review([...upload(staff(1)).transfers, ...upload(rows).transfers]);
    expect(again.repeated).toMatchObject({ indexes: [1, 2], repeatedCount: 2, paidBy: "ada" });
    expect((await review(upload(rows).transfers)).reference).not.toBe(first.reference);
    expect((await review(paid.transfers)).rejected).toHaveLength(2);
  });
});
