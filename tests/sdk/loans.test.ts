import { describe, expect, test } from "vitest";
import { ConflictError, ValidationError } from "../../sdk/src/index.ts";
import { createLossyProxy } from "./lossy-proxy.ts";
import { caught, createProduct } from "./product.ts";

const { jara, connect, baseUrl } = await createProduct();

const applicant = {
  firstName: "Adaeze",
  lastName: "Okafor",
  phone: "+2348031234567",
  email: "adaeze@example.com",
  nin: "12345678901",
  bankCode: "058",
  accountNumber: "0123456789",
  longitude: 3.3792,
  latitude: 6.5244,
} as const;
const terms = { amount: "50000.00", tenure: 3, tenureType: "monthly" } as const;
const request = (bvn: string) => ({ ...applicant, ...terms, bvn });

describe("a loan", () => {
  test("is quoted, requested, approved, paid out and repaid", async () => {
    expect((await jara.loans.listBanks())[0]).toMatchObject({ bankCode: expect.any(String) });
    const quote = await jara.loans.quote(terms);
    expect(quote.schedules).toHaveLength(3);
    const { id, amount, createdAt } = await jara.loans.create(request("22123456701"));
    expect({ amount, createdAt }).toEqual({ amount: 50_000, createdAt: null });
    expect(await jara.sandbox.loans.approve(id)).toMatchObject({ loanRequest: { status: "approved" } });
    await jara.sandbox.loans.disburse(id);
    await jara.sandbox.clock.advance({ seconds: 60 });
    const loan = await jara.loans.get(id);
    expect(loan).toMatchObject({
      loanRequest: { status: "active", amount: "50000.00", tenure: 3, daasUser: { firstName: "Adaeze" } },
      loanDetails: { statusText: "active", totalRepayment: quote.totalRepayment },
    });
    expect(await jara.loans.getSchedule(id)).toHaveLength(3);
    expect(await jara.loans.explain(id, { field: "to_repay" })).toMatchObject({ value: loan.loanDetails.toRepay });
    const paid = { amount: quote.totalRepayment + 500.25, reference: "pay-1", channel: "wallet" } as const;
    const repayment = await jara.loans.repayments.create(id, paid);
    expect(repayment).toMatchObject({ allocation: { credit: 500.25 } });
    expect(await jara.loans.repayments.list(id).toArray()).toMatchObject([{ id: repayment.id }]);
    const back = { amount: "500.25", reference: "back-1", channel: "wallet" } as const;
    expect(await jara.loans.refundCredit(id, back)).toMatchObject({ amount: 500.25 });
    const statuses = (await jara.loans.list({ status: "completed" }).toArray()).map(({ status }) => status);
    expect(statuses).toEqual(["completed"]);
  });

  test("is rejected or cancelled, and a repayment can be taken back", async () => {
    const { id } = await jara.loans.create(request("22123456702"));
    expect(await jara.sandbox.loans.reject(id)).toMatchObject({ loanRequest: { status: "rejected" } });
    expect(await caught(jara.loans.cancel(id))).toMatchObject({ code: "invalid_state", data: { status: "rejected" } });
    const other = await jara.loans.create(request("22123456703"));
    expect(await jara.loans.cancel(other.id)).toMatchObject({ loanRequest: { status: "cancelled" } });
    const third = await jara.loans.create(request("22123456704"));
    await jara.sandbox.loans.approve(third.id);
    await jara.sandbox.loans.disburse(third.id);
    await jara.sandbox.clock.advance({ seconds: 60 });
    const repaid = await jara.loans.repayments.create(third.id, { amount: 100, reference: "pay-2", channel: "cash" });
    expect(await jara.loans.repayments.reverse(third.id, repaid.id, { reason: "It bounced" })).toMatchObject({
      status: "reversed",
    });
  });

  test("is made once although its reply was lost", async () => {
    const proxy = await createLossyProxy(baseUrl);
    proxy.lose(1);
    const careful = connect({ baseUrl: proxy.baseUrl });
    const made = await careful.loans.create(request("22123456705"), { idempotencyKey: "loan-1042" });
    expect(proxy.passed()).toBe(2);
    expect(await jara.loans.create(request("22123456705"), { idempotencyKey: "loan-1042" })).toEqual(made);
    const changed = { ...request("22123456705"), amount: 60_000 };
    expect(await caught(jara.loans.create(changed, { idempotencyKey: "loan-1042" }))).toBeInstanceOf(ConflictError);
  });

  test("with bad fields is refused in the caller's own names", async () => {
    const error = await caught(jara.loans.create({ ...request("1"), accountNumber: "12", tenure: 0 }));
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).fields.map(({ field }) => field).sort()).toEqual([
      "accountNumber",
      "bvn",
      "tenure",
    ]);
  });

  test("is listed item by item over the pages of its family", async () => {
    const ids: string[] = [];
    for await (const { id } of jara.loans.list({ limit: 2 })) ids.push(id);
    expect(new Set(ids).size).toBe(5);
    expect(await jara.loans.list({ limit: 2 }).page()).toMatchObject({
      page: 1,
      perPage: 2,
      hasNext: true,
      totalItems: null,
    });
  });
});
