import { describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { judge } from "./bank-health.ts";

const { call, pay, merchant, otherMerchant, db } = await createPayingApp();
const liveKey = await issueLiveKeyFor(db, merchant.merchant.id);

describe("banks", () => {
  test("are listed with both codes", async () => {
    const reply = await call("GET", "/transfers/banks");
    expect(reply.statusCode).toBe(200);
    expect(reply.json().pagination).toBeUndefined();
    expect(reply.json().data).toContainEqual({
      name: "Guaranty Trust Bank",
      code: "058",
      nipCode: "000013",
      slug: "guaranty-trust-bank",
      type: "commercial",
      active: true,
    });
    expect(reply.json().data.map((bank: { code: string }) => bank.code)).toContain("998");
  });

  test("of a live environment are real", async () => {
    const codes = (await call("GET", "/transfers/banks", { key: liveKey })).json().data.map(codeOf);
    expect(codes).toContain("058");
    expect(codes).not.toContain("998");
  });
});

function codeOf({ code }: { code: string }): string {
  return code;
}

describe("the fee", () => {
  test.each([
    [100, { fee: 10, vat: 0.75, stampDuty: 0, totalFee: 10.75, totalDebit: 110.75 }],
    [5000, { fee: 10, vat: 0.75, stampDuty: 0, totalFee: 10.75, totalDebit: 5010.75 }],
    [5000.01, { fee: 25, vat: 1.88, stampDuty: 0, totalFee: 26.88, totalDebit: 5026.89 }],
    [9999.99, { fee: 25, vat: 1.88, stampDuty: 0, totalFee: 26.88, totalDebit: 10_026.87 }],
    [10_000, { fee: 25, vat: 1.88, stampDuty: 50, totalFee: 76.88, totalDebit: 10_076.88 }],
    [50_000, { fee: 25, vat: 1.88, stampDuty: 50, totalFee: 76.88, totalDebit: 50_076.88 }],
    [50_000.01, { fee: 50, vat: 3.75, stampDuty: 50, totalFee: 103.75, totalDebit: 50_103.76 }],
    [10_000_000, { fee: 50, vat: 3.75, stampDuty: 50, totalFee: 103.75, totalDebit: 10_000_103.75 }],
  ])("of %d", async (amount, expected) => {
    const reply = await call("GET", `/transfers/fee?amount=${amount}&currency=NGN`);
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toEqual({ amount, ...expected, currency: "NGN" });
  });

  test("is what a payout then costs", async () => {
    const estimate = (await call("GET", "/transfers/fee?amount=12345.67")).json().data;
    const { fee, vat, stampDuty, totalDebit } = (await pay({ amount: 12_345.67 })).json().data;
    expect(estimate).toMatchObject({ fee, vat, stampDuty, totalDebit });
  });

  test.each([
    ["", "validation_failed"],
    ["amount=abc", "validation_failed"],
    ["amount=0", "validation_failed"],
    ["amount=100.001", "validation_failed"],
    ["amount=500&currency=USD", "validation_failed"],
    ["amount=99.99", "amount_below_minimum"],
    ["amount=10000000.01", "amount_above_maximum"],
  ])("of %j is refused as %s", async (query, code) => {
    const reply = await call("GET", `/transfers/fee?${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, code]);
  });
});

describe("a name enquiry", () => {
  test("says whether the bank's name is the expected one, by the rule that payouts follow", async () => {
    const path = "/transfers/name-enquiry?bankCode=058&accountNumber=0111946768";
    const plain = (await call("GET", path)).json().data;
    expect(plain.nameMatches).toBeNull();
    const turned = plain.accountName.toLowerCase().split(" ").reverse().join(" ");
    const answers = [];
    for (const name of [`Mr ${turned}`, "Somebody Else"]) {
      answers.push((await call("GET", `${path}&accountName=${encodeURIComponent(name)}`)).json().data.nameMatches);
    }
    expect(answers).toEqual([true, false]);
  });

  const enquire = (bankCode: string, accountNumber: string, key?: string) =>
    call("GET", `/transfers/name-enquiry?bankCode=${bankCode}&accountNumber=${accountNumber}`, key ? { key } : {});

  test("names the holder, the same every time, for half an hour", async () => {
    const [first, second] = [await enquire("058", "0111946768"), await enquire("000013", "0111946768")];
    expect(first.statusCode).toBe(200);
    expect(first.json().data).toEqual({
      accountNumber: "0111946768",
      accountName: expect.stringMatching(/^\S+ .*\S$/),
      bankCode: "058",
      bankName: "Guaranty Trust Bank",
      nameMatches: null,
      nameEnquiryReference: expect.stringMatching(/^[\w-]{40,}$/),
      expiresAt: expect.any(String),
    });
    expect(second.json().data).toMatchObject({ accountName: first.json().data.accountName, bankCode: "058" });
    const validMs = Date.parse(first.json().data.expiresAt) - Date.now();
    expect(validMs).toBeGreaterThan(29 * 60_000);
    expect(validMs).toBeLessThanOrEqual(30 * 60_000);
  });

  test("remarks on a wrong check digit", async () => {
    expect((await enquire("058", "0123456789")).headers["jara-warning"]).toBe("nuban_check_digit");
    expect((await enquire("058", "0111946768")).headers["jara-warning"]).toBeUndefined();
    expect((await enquire("999992", "8012345678")).headers["jara-warning"]).toBeUndefined();
  });

  test.each([
    ["058", "0000000000", 404, "account_not_found"],
    ["999", "0111946768", 503, "bank_unavailable"],
    ["000", "0111946768", 422, "unknown_bank"],
    ["058", "011194676", 422, "validation_failed"],
    ["", "0111946768", 422, "validation_failed"],
  ])("at %j for %s answers %d %s", async (bankCode, accountNumber, status, code) => {
    const reply = await enquire(bankCode, accountNumber);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
  });

  test("has no rail in a live environment yet", async () => {
    const reply = await enquire("058", "0111946768", liveKey);
    expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
  });

  test("has a rate limit apart from the rest", async () => {
    const limited = await createPayingApp({ rateLimit: 5 });
    const path = "/transfers/name-enquiry?bankCode=058&accountNumber=0111946768";
    const replies = await Promise.all(Array.from({ length: 20 }, () => limited.call("GET", path)));
    const refused = replies.filter((reply) => reply.statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.json().code).toBe("rate_limited");
    expect((await limited.call("GET", "/transfers/banks")).statusCode).toBe(200);
  });
});

describe("the health of banks", () => {
  const health = async (bankCode: string, key?: string) =>
    (await call("GET", `/transfers/bank/health?bankCode=${bankCode}`, key ? { key } : {})).json().data[0];

  test("is told for every bank, without a sample as up", async () => {
    const reply = await call("GET", "/transfers/bank/health", { key: otherMerchant.secretKey });
    const banks = (await call("GET", "/transfers/banks")).json().data;
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toHaveLength(banks.length);
    expect(reply.json().data[0]).toEqual({
      bankCode: expect.any(String),
      nipCode: expect.any(String),
      bankName: expect.any(String),
      status: "up",
      successRate: null,
      sampleSize: 0,
      medianSeconds: null,
      lastCheckedAt: expect.any(String),
    });
  });

  test("follows the outcomes of the environment's own payouts", async () => {
    const other = await createPayingApp();
    const endings = ["", "", "", "_FAIL"];
    for (const ending of endings) await other.pay({ bankCode: "057", reference: freshReference(ending) });
    await other.pay({ bankCode: "011", reference: freshReference("_FAIL") });
    await other.work();
    const read = async (code: string) =>
      (await other.call("GET", `/transfers/bank/health?bankCode=${code}`)).json().data[0];
    expect(await read("000015")).toMatchObject({
      bankCode: "057",
      status: "degraded",
      successRate: 0.75,
      sampleSize: 4,
      medianSeconds: expect.any(Number),
    });
    expect(await read("011")).toMatchObject({ status: "up", successRate: 0, sampleSize: 1, medianSeconds: null });
  });

  test("forgets outcomes that are older than an hour, and counts those that are owed", async () => {
    const other = await createPayingApp();
    for (let n = 0; n < 3; n += 1) await other.pay({ bankCode: "057", reference: freshReference("_FAIL") });
    await other.pay({ bankCode: "057", reference: freshReference("_PENDING") });
    await other.work();
    await other.call("POST", "/sandbox/clock/advance", { body: { seconds: 3_700 } });
    const reply = await other.call("GET", "/transfers/bank/health?bankCode=057");
    expect(reply.json().data[0]).toMatchObject({ successRate: 0, sampleSize: 1 });
  });

  test("is what the sandbox's owner says it is", async () => {
    expect((await health("999")).status).toBe("down");
    await call("PUT", "/sandbox/banks/033/health", { body: { status: "degraded" } });
    expect((await health("033")).status).toBe("degraded");
    expect((await health("033", otherMerchant.secretKey)).status).toBe("up");
    await call("PUT", "/sandbox/banks/033/health", { body: { status: "up" } });
    expect((await health("033")).status).toBe("up");
  });

  test("of an unknown bank is refused", async () => {
    const reply = await call("GET", "/transfers/bank/health?bankCode=000");
    expect([reply.statusCode, reply.json().code]).toEqual([422, "unknown_bank"]);
  });

  test.each([
    [0, 0, null, "up"],
    [2, 0, null, "up"],
    [3, 1, 1, "down"],
    [4, 2, 1, "degraded"],
    [10, 8, 1, "degraded"],
    [10, 9, 1, "up"],
    [10, 10, 31, "degraded"],
    [10, 10, 30, "up"],
  ] as const)("of %d outcomes, %d paid, half within %s s, is %s", (sample, paid, median, status) => {
    expect(judge(sample, paid, median)).toBe(status);
  });
});
