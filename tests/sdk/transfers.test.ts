import { describe, expect, test } from "vitest";
import {
  ConflictError,
  InsufficientFundsError,
  JaraStillWaitingError,
  NotFoundError,
  type ReplyInfo,
  ValidationError,
} from "../../sdk/src/index.ts";
import { createLossyProxy } from "./lossy-proxy.ts";
import { caught, createProduct } from "./product.ts";

const { jara, connect, baseUrl, otherMerchant } = await createProduct();
const account = { accountNumber: "0690000032", bankCode: "044" };
const available = async () => (await jara.wallets.getBalance()).available;

describe("a payout", () => {
  test("goes from name enquiry to its final state", async () => {
    const [bank] = await jara.transfers.listBanks();
    expect(bank).toMatchObject({ name: expect.any(String), nipCode: expect.stringMatching(/^\d{6}$/) });
    expect(await jara.transfers.listBankHealth({ bankCode: "044" })).toMatchObject([{ bankCode: "044", status: "up" }]);
    const { accountName, nameEnquiryReference } = await jara.transfers.enquireName(account);
    expect(await jara.transfers.estimateFee({ amount: "2500.50" })).toMatchObject({
      amount: 2500.5,
      totalDebit: 2511.25,
    });
    const made = await jara.transfers.create({
      ...account,
      amount: "2500.50",
      reference: "sdk-1",
      accountName,
      nameEnquiryReference,
      metadata: { order_id: "1042", orderId: 7, "Kebab-Case": true },
    });
    expect(made).toMatchObject({ amount: 2500.5, totalDebit: 2511.25, currency: "NGN", reference: "sdk-1" });
    const final = await jara.transfers.waitUntilFinal(made.id);
    expect(final.status).toBe("completed");
    expect(final.metadata).toEqual({ order_id: "1042", orderId: 7, "Kebab-Case": true });
    expect(await jara.transfers.getByReference("sdk-1")).toEqual(final);
    expect(await jara.transfers.get(made.id)).toEqual(final);
  });

  test("is paid once although every reply but the last was lost", async () => {
    const proxy = await createLossyProxy(baseUrl);
    const heard: ReplyInfo[] = [];
    const before = await available();
    proxy.lose(3);
    const made = await connect({ baseUrl: proxy.baseUrl, onReply: (info) => heard.push(info) }).transfers.create({
      ...account,
      amount: 1000,
      reference: "lost-1",
    });
    expect(proxy.passed()).toBe(4);
    expect(heard).toMatchObject([{ status: 201, replayed: true, attempts: 4 }]);
    expect(await available()).toBe(before - 1010.75);
    expect(await jara.transfers.list({ reference: "lost-1" }).toArray()).toMatchObject([{ id: made.id }]);
  });

  test("is refused in classes that say what is wrong", async () => {
    const poor = await caught(jara.transfers.create({ ...account, amount: 9_000_000, reference: "poor" }));
    expect(poor).toBeInstanceOf(InsufficientFundsError);
    expect((poor as InsufficientFundsError).data.short).toBeGreaterThan(8_000_000);
    const bad = await caught(
      jara.transfers.create({ accountNumber: "12", bankCode: "044", amount: 0.001, reference: "" }),
    );
    expect(bad).toBeInstanceOf(ValidationError);
    expect((bad as ValidationError).fields.map(({ field }) => field).sort()).toEqual([
      "accountNumber",
      "amount",
      "reference",
    ]);
    expect(await caught(jara.transfers.get("01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"))).toBeInstanceOf(NotFoundError);
    await jara.transfers.create({ ...account, amount: 500, reference: "twice" });
    const conflict = await caught(jara.transfers.create({ ...account, amount: 600, reference: "twice" }));
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({
      code: "reference_conflict",
      data: { fields: ["amount"] },
      requestId: expect.stringMatching(/^req_/),
    });
    expect(
      await caught(connect({ secretKey: otherMerchant.secretKey }).transfers.getByReference("twice")),
    ).toBeInstanceOf(NotFoundError);
  });

  test("that stays pending ends the wait, not the payout", async () => {
    const { id } = await jara.transfers.create({ ...account, amount: 500, reference: "slow_PENDING" });
    const error = await caught(jara.transfers.waitUntilFinal(id, { timeoutMs: 300, pollMs: 50 }));
    expect(error).toBeInstanceOf(JaraStillWaitingError);
    expect((error as JaraStillWaitingError).last).toMatchObject({ id, status: "processing" });
    const giveUp = new AbortController();
    const waiting = caught(jara.transfers.waitUntilFinal(id, { signal: giveUp.signal }));
    giveUp.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ message: "enough" });
  });
});

test("a batch pays its good items and waits for all of them", async () => {
  const transfers = [1, 2, 3].map((n) => ({ ...account, amount: `${n}00.25`, reference: `bulk-${n}` }));
  const accepted = await jara.transfers.bulk.create({ batchReference: "bulk", transfers });
  expect(accepted).toMatchObject({ totalCount: 3, acceptedCount: 3, totalAmount: 600.75 });
  const done = await jara.transfers.bulk.waitUntilFinal(accepted.batchId);
  expect(done).toMatchObject({ status: "completed", counts: { completed: 3 } });
  expect(await jara.transfers.bulk.get(accepted.batchId)).toEqual(done);
});

describe("the list", () => {
  test("is read item by item over pages, by page, and up to a number", async () => {
    const references: string[] = [];
    for await (const { reference } of jara.transfers.list({ status: "completed", limit: 2 }))
      references.push(reference);
    expect(references).toContain("sdk-1");
    expect(references).toContain("bulk-3");
    expect(new Set(references).size).toBe(references.length);
    const page = await jara.transfers.list({ limit: 2 }).page();
    expect(page).toMatchObject({ page: 1, perPage: 2, hasNext: true, totalItems: expect.any(Number) });
    expect(page.items).toHaveLength(2);
    expect(await jara.transfers.list({ limit: 2 }).toArray(3)).toHaveLength(3);
    const sizes: number[] = [];
    for await (const { items } of jara.transfers.list({ limit: 3 }).pages()) sizes.push(items.length);
    expect(sizes.slice(0, -1).every((size) => size === 3)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(page.totalItems);
  });

  test("shows no item twice when others are made while it is read", async () => {
    const ids: string[] = [];
    for await (const { id } of jara.transfers.list({ limit: 2 })) {
      if (ids.length === 1) await jara.transfers.create({ ...account, amount: 100, reference: "in-between" });
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(ids.length);
  });
});
