import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { kobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { CheckoutLoanStatus } from "../loans/checkout-loan.ts";
import { checkoutLoanTransitions } from "../loans/checkout-loan.ts";
import { type CheckoutSession, type SessionStatus, sessionStatuses } from "./checkout-session.ts";
import { returnUrlOf, shownStatus, stepOf } from "./checkout-view.ts";

const { db } = await createTestDatabase();
const now = new Date("2026-11-02T08:00:00.000Z");

function sessionOf(status: SessionStatus, expiresAt: Date): CheckoutSession {
  return {
    id: "s1",
    customerId: "c1",
    orderReference: "o1",
    amount: kobo(1n),
    items: [],
    bankCode: "058",
    bankAccountNo: "1",
    successUrl: "https://a.example/yes",
    cancelUrl: "https://a.example/no",
    status,
    loanId: null,
    version: 1,
    expiresAt,
    createdAt: now,
    updatedAt: now,
  };
}

const later = new Date(now.getTime() + 1);

test("the states are those that the database allows", async () => {
  const found = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint
    where conrelid = 'checkout_sessions'::regclass and pg_get_constraintdef(oid) like '%(status = ANY%'`.execute(db);
  const words = [...(found.rows[0]?.text ?? "").matchAll(/'(\w+)'::text/g)].map(([, word]) => word);
  expect(words.sort()).toEqual([...sessionStatuses].sort());
});

describe("the step of an open session", () => {
  const steps: Readonly<Record<CheckoutLoanStatus, string>> = {
    pending_consent: "consent",
    pending_card: "card",
    approved: "processing",
    disbursed: "processing",
    active: "processing",
    overdue: "processing",
    completed: "processing",
    rejected: "processing",
    cancelled: "processing",
    expired: "processing",
    written_off: "processing",
  };
  test.each(keysOf(checkoutLoanTransitions))("follows a loan that is %s", (loan) => {
    expect(stepOf("open", loan, { eligible: false, hasCard: false })).toBe(steps[loan]);
  });

  test("before there is a loan depends on whether one can be had", () => {
    const offered = [true, false].map((eligible) => stepOf("open", null, { eligible, hasCard: true }));
    expect(offered).toEqual(["offer", "not_eligible"]);
    expect(stepOf("open", "pending_card", { eligible: false, hasCard: true })).toBe("processing");
  });
});

test.each(sessionStatuses.filter((status) => status !== "open"))("a session that is %s shows that", (status) => {
  expect([
    stepOf(status, "active", { eligible: true, hasCard: true }),
    shownStatus(sessionOf(status, now), null, now),
  ]).toEqual([status, status]);
});

test.each([
  ["nobody chose terms", null, "expired"],
  ["consent is missing", "pending_consent", "expired"],
  ["a card is missing", "pending_card", "expired"],
  ["the loan is granted", "approved", "open"],
  ["the money is out", "disbursed", "open"],
] as const)("an open session whose time is over and of which %s shows as it should", (_, loan, shown) => {
  expect(shownStatus(sessionOf("open", now), loan, now)).toBe(shown);
  expect(shownStatus(sessionOf("open", later), loan, now)).toBe("open");
});

test("only a completed session leads to the address of success", () => {
  const urls = sessionStatuses.map((status) => returnUrlOf(sessionOf(status, later), status));
  expect(urls).toEqual([
    "https://a.example/no?session_id=s1&status=open",
    "https://a.example/yes?session_id=s1&status=completed",
    "https://a.example/no?session_id=s1&status=expired",
    "https://a.example/no?session_id=s1&status=cancelled",
  ]);
});
