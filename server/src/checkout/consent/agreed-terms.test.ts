/** What a customer agrees to, in its canonical form, and what is shown of a code and of a consent. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { otpBody, sentCode } from "../pages/schemas.ts";
import {
  type CodeSubject,
  type ConsentCode,
  type ConsentRecord,
  codeLifeMs,
  codeTransitions,
  consentRequestOf,
  mostAttempts,
  resendAfterMs,
  sendWindowMs,
} from "./consent.ts";
import { presentConsent, presentRequest } from "./routes.ts";
import { consentData, consentRequestData, verifyBody } from "./schemas.ts";
import { showCode } from "./show-code.ts";
import { type ConsentTerms, canonicalJson, hashTerms } from "./terms.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const sentAt = new Date("2026-11-01T08:30:00.000Z");

const terms: ConsentTerms = {
  version: "2026-11",
  lender: "Sample Lender (sandbox)",
  lender_registration: "no registration: sandbox sample",
  merchant: "Mama Put Foods",
  currency: "NGN",
  amount: "60000.00",
  tenor: 1,
  tenor_type: "monthly",
  interest_rate: 2.5,
  annual_rate: 54.74,
  total_interest: "1500.00",
  total_fees: "0.00",
  total_repayment: "61500.00",
  installment_amount: "61500.00",
  schedule: [
    {
      installment_number: 1,
      due_date: "2026-12-01",
      principal: "60000.00",
      interest: "1500.00",
      fees: "0.00",
      amount_due: "61500.00",
    },
  ],
  statement: "I borrow NGN 60,000.00.",
  conditions: ["You may pay early."],
};

/** The same members in another order, at every depth. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, turned(one)]),
  );
}

describe("the canonical form", () => {
  test("reads as the same value, has no blanks, and forgets the order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        // What JSON cannot tell apart, such as -0, is not told apart here either.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(turned(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("keeps the order of a list, which means something", () => {
    expect(canonicalJson([2, 1])).toBe("[2,1]");
  });

  test("orders names by their units, as every language does that sorts them plainly", () => {
    expect(canonicalJson({ b: 1, B: 2, a_b: 3, aB: 4, "": 5 })).toBe('{"":5,"B":2,"aB":4,"a_b":3,"b":1}');
  });
});

describe("the hash of terms", () => {
  test("can be computed by anybody who has the terms", () => {
    const text = canonicalJson(JSON.parse(JSON.stringify(terms)));
    expect(hashTerms(terms)).toEqual(createHash("sha256").update(text).digest());
    expect(hashTerms(turned(terms) as ConsentTerms)).toEqual(hashTerms(terms));
  });

  test.each<[string, Partial<ConsentTerms>]>([
    ["amount", { amount: "60000.01" }],
    ["lender", { lender: "Another Lender" }],
    ["merchant", { merchant: "Mama Put Foods " }],
    ["rate", { interest_rate: 2.51 }],
    ["due date", { schedule: terms.schedule.map((one) => ({ ...one, due_date: "2026-12-02" })) }],
    ["text", { statement: "I borrow NGN 60,000.00" }],
    ["version", { version: "2026-12" }],
  ])("is another for another %s", (_, change) => {
    expect(hashTerms({ ...terms, ...change })).not.toEqual(hashTerms(terms));
  });

  test("is another for each thing that a code can stand for", () => {
    const merchant = "Mama Put Foods";
    const hashes = [hashTerms({ merchant, opens: "plan" }), hashTerms({ merchant, fields: ["phone"] })];
    expect(hashes[0]).not.toEqual(hashes[1]);
    expect(hashTerms({ merchant, fields: ["phone", "email"] })).not.toEqual(hashes[1]);
  });
});

const subject: CodeSubject = { kind: "loan", id };
const code: ConsentCode = {
  id,
  subject,
  customerId: id,
  codeHash: Buffer.alloc(32),
  terms,
  termsHash: hashTerms(terms),
  channel: "sms",
  phone: "+2348031234678",
  destination: "0803****678",
  messageId: id,
  attempts: 0,
  status: "live",
  sentAt,
  expiresAt: new Date(sentAt.getTime() + codeLifeMs),
};

describe("a code that was sent", () => {
  test.each([0, 1, 4, 5])("after %i tries has the others left, and can be sent again after a minute", (attempts) => {
    expect(consentRequestOf({ ...code, attempts })).toEqual({
      subject,
      channel: "sms",
      destination: "0803****678",
      sentAt,
      expiresAt: new Date("2026-11-01T08:40:00.000Z"),
      resendAt: new Date("2026-11-01T08:31:00.000Z"),
      attemptsRemaining: mostAttempts - attempts,
    });
  });

  test("lives as long as the window in which others are counted, and can be asked for again within it", () => {
    expect(codeLifeMs).toBeLessThanOrEqual(sendWindowMs);
    expect(resendAfterMs).toBeLessThan(codeLifeMs);
    expect(Object.keys(codeTransitions)).toEqual(["live", "used", "replaced"]);
  });

  test("tells the merchant where it went, masked, and never the number or the digits", () => {
    const shown = presentRequest(consentRequestOf(code));
    expect(shown).toEqual({
      loan_id: id,
      consent_status: "pending_consent",
      channel: "sms",
      destination: "0803****678",
      expires_at: "2026-11-01T08:40:00.000Z",
      resend_after: "2026-11-01T08:31:00.000Z",
    });
    expect(complaintsOf(consentRequestData)(shown)).toEqual({});
    expect(JSON.stringify(shown)).not.toContain("8031234678");
  });

  test("tells a page when, and not where to: a visitor has only a link", () => {
    const shown = showCode(consentRequestOf(code));
    expect(complaintsOf(sentCode)(shown)).toEqual({});
    expect(JSON.stringify(shown)).not.toMatch(/0803|678/);
    expect(showCode(null)).toBeNull();
  });
});

describe("a consent as it is shown", () => {
  const record: ConsentRecord = {
    id,
    loanId: id,
    customerId: id,
    codeId: id,
    terms,
    scheduleHash: hashTerms(terms),
    channel: "sms",
    destination: "0803****678",
    messageId: id,
    requestedAt: sentAt,
    consentedAt: sentAt,
  };

  test("fits the document and has a hash that its own terms come to", () => {
    const shown = presentConsent(record);
    expect(complaintsOf(consentData)(shown)).toEqual({});
    expect(createHash("sha256").update(canonicalJson(shown.terms)).digest("hex")).toBe(shown.schedule_hash);
    expect(shown).not.toHaveProperty("code_id");
  });

  test("from before texts had versions has none of what came later, so that its hash still comes out", () => {
    const { version: _, lender_registration: __, annual_rate: ___, conditions: ____, ...old } = terms;
    const shown = presentConsent({ ...record, terms: old, scheduleHash: hashTerms(old) });
    expect(complaintsOf(consentData)(shown)).toEqual({});
    expect(Object.keys(shown.terms)).not.toContain("conditions");
    expect(hashTerms(shown.terms as ConsentTerms).toString("hex")).toBe(shown.schedule_hash);
  });
});

describe("an answer to a code", () => {
  test.each([
    ["123456", true],
    ["000000", true],
    ["12345", false],
    ["1234567", false],
    ["12345a", false],
    ["１２３４５６", false],
    [" 123456", false],
    [123_456, false],
  ])("%j is one to the API: %s", (otp, fits) => {
    expect(Object.keys(complaintsOf(verifyBody)({ otp }))).toEqual(fits ? [] : ["otp"]);
  });

  test("is a try on a page whatever it is, as long as it is short", () => {
    for (const otp of ["123456", "abc", "1", "x".repeat(20)]) expect(complaintsOf(otpBody)({ otp })).toEqual({});
    for (const otp of ["", "x".repeat(21), 5]) expect(complaintsOf(otpBody)({ otp })).toHaveProperty("otp");
  });
});
