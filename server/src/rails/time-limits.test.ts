import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import type { BankRail } from "./bank.ts";
import type { BillerRail } from "./biller.ts";
import {
  bankTimeLimits,
  billerTimeLimits,
  cardTimeLimits,
  withBankTimeLimits,
  withBillerTimeLimits,
} from "./time-limits.ts";

const never = () => new Promise<never>(() => {});
const broken = () => Promise.reject(new Error("socket hang up"));
/** Throws before there is a promise, as a mistake in an adapter would. */
const thrown = (): never => {
  throw new Error("not a function");
};

const account = { environmentId: "e", nipCode: "000013", accountNumber: "0123456789" };
const payment = { ...account, sessionId: "s", accountName: "A", amount: kobo(1n), narration: "n", reference: "r" };
const customer = { environmentId: "e", category: "airtime", provider: "MTN", customer: "1", meterType: null } as const;
const vend = {
  ...customer,
  requestId: "q",
  productCode: "p",
  subscriptionType: null,
  amount: kobo(1n),
  phoneNumber: null,
  reference: "r",
};

function bank(call: () => Promise<never>): BankRail {
  const facts = { name: "told", deduplicatesBySession: true, settleWindowMs: 7, senderCode: "999001" };
  return { ...facts, resolveAccount: call, send: call, query: call };
}

function biller(call: () => Promise<never>): BillerRail {
  const facts = { name: "told", categories: ["airtime"], deduplicatesByRequest: true, settleWindowMs: 7 } as const;
  return { ...facts, requestIds: "uuid", validate: call, vend: call, query: call };
}

describe.each([
  ["is late", never, 0],
  ["breaks", broken, 3],
  ["throws", thrown, 3],
] as const)("a rail that %s", (_, call, reported) => {
  test("leaves every question about a payout open, and never says that it failed", async () => {
    const errors: unknown[] = [];
    const limits = { resolveMs: 1, sendMs: 1, queryMs: 1 };
    const rail = withBankTimeLimits(bank(call), limits, (error) => errors.push(error));
    expect(await rail.resolveAccount(account)).toEqual({ found: "unavailable" });
    expect(await rail.send(payment)).toEqual({ outcome: "unknown", code: null });
    expect(await rail.query(payment)).toEqual({ outcome: "unknown", code: null });
    expect(errors).toHaveLength(reported);
  });

  test("leaves every question about a bill open, and never says that it failed", async () => {
    const errors: unknown[] = [];
    const limits = { validateMs: 1, vendMs: 1, queryMs: 1 };
    const rail = withBillerTimeLimits(biller(call), limits, (error) => errors.push(error));
    expect(await rail.validate(customer)).toEqual({ found: "unavailable" });
    expect(await rail.vend(vend)).toEqual({ outcome: "unknown", code: null });
    expect(await rail.query(vend)).toEqual({ outcome: "unknown", code: null });
    expect(errors).toHaveLength(reported);
  });
});

test("what a rail says in time goes through unchanged, and so do its facts", async () => {
  const success = { outcome: "success", trace: { providerReference: "TRF_1" } } as const;
  const rail: BankRail = {
    ...bank(never),
    resolveAccount: async () => ({ found: "no" }),
    send: async () => success,
    query: async () => ({ outcome: "no_record" }),
  };
  const report = (error: unknown) => expect.unreachable(String(error));
  const limited = withBankTimeLimits(rail, bankTimeLimits, report);
  expect(await limited.resolveAccount(account)).toEqual({ found: "no" });
  expect(await limited.send(payment)).toBe(success);
  expect(await limited.query(payment)).toEqual({ outcome: "no_record" });
  expect(limited).toMatchObject({ name: "told", senderCode: "999001", settleWindowMs: 7, deduplicatesBySession: true });
});

test("to move money may take longer than to ask about it", () => {
  expect(bankTimeLimits.sendMs).toBeGreaterThan(bankTimeLimits.queryMs);
  expect(billerTimeLimits.vendMs).toBeGreaterThan(billerTimeLimits.queryMs);
  expect(cardTimeLimits.chargeMs).toBeGreaterThan(cardTimeLimits.queryMs);
});
