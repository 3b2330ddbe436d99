import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { date, happened, historyOf, orderHistory } from "../../../testing/lending/loan-histories.ts";
import { nairaString } from "../../money/kobo.ts";
import { startOfLagosDay } from "../../platform/time/lagos-date.ts";
import type { InterestMethod } from "../pricing/product.ts";
import { figuresOf } from "./figures.ts";
import { dueParts, type InstalmentPosition, unpaid } from "./instalment.ts";
import { type LoanHistory, positionOf } from "./position.ts";

const written = (instalment: InstalmentPosition): string => {
  const { principal, interest, fees } = dueParts(instalment);
  return [principal, interest, fees, unpaid(instalment)].map(nairaString).join(" ");
};

/** See reference-reductions.py, which worked them out by another method. */
const references = readFileSync(join(import.meta.dirname, "reference-reductions.tsv"), "utf8")
  .trimEnd()
  .split("\n");

describe("refunded loans worked out by another method", () => {
  test.each(references.map((line) => [line.split("\t").slice(0, 8).join(" "), line]))("%s", (_name, line) => {
    const [method, amount = "", tenor, percent, feePercent, feeFixed = "", start = "", happens = "", ...rest] =
      line.split("\t");
    const [interest, fees, total, paid, balance, credit, rows = ""] = rest;
    const millionths = (text: string | undefined): bigint => BigInt(Math.round(Number(text) * 10_000));
    const planned = historyOf({
      method: method as InterestMethod,
      amount: naira(amount),
      tenor: Number(tenor),
      rate: millionths(percent),
      fee: { rate: millionths(feePercent), fixed: naira(feeFixed) },
      start,
    });
    const history = happens.split(",").reduce((so, step, place) => happened(so, step, place + 2), planned);
    const position = positionOf(history);
    const figures = figuresOf(position.instalments, 1, date(start));
    expect(position.instalments.map(written)).toEqual(rows.split(";"));
    const found = [figures.totalInterest, figures.totalFees, figures.totalRepayment, figures.paid, figures.balance];
    expect([...found, position.credit].map(nairaString)).toEqual([interest, fees, total, paid, balance, credit]);
    expect(position.closedAt !== null).toBe(balance === "0.00");
  });
});

const play = (...steps: string[]): LoanHistory =>
  steps.reduce((history, step, place) => happened(history, step, place + 2), historyOf(orderHistory));

test("a refund's effect names where its money went", () => {
  const steps = ["pay:2026-02-10:5000.00", "late:1:215.00", "refund:2026-03-05:60000.00"];
  expect(positionOf(play(...steps)).effects.get("off4")).toEqual({
    principal: naira("56,500.00"),
    lateFee: naira("215.00"),
    fees: 0n,
    interest: 0n,
    paidPrincipal: 0n,
    credit: naira("3,285.00"),
    suspense: 0n,
    refunded: 0n,
    waivedInterest: naira("3,000.00"),
    waivedFees: 0n,
  });
});

test.each([
  ["40100.00", "100.00", "0.00"],
  ["40300.00", "215.00", "85.00"],
  ["41715.00", "215.00", "1500.00"],
])(
  "beyond all principal a refund of %s pays %s of the late fee, then %s of the interest",
  (amount, lateFee, interest) => {
    const steps = ["pay:2026-02-28:21500.00", "late:2:215.00", `refund:2026-04-05:${amount}`];
    const { effects, instalments } = positionOf(play(...steps));
    expect(effects.get("off4")).toMatchObject({ lateFee: naira(lateFee), interest: naira(interest), credit: 0n });
    expect(instalments[1]?.paid).toEqual({
      lateFee: naira(lateFee),
      fees: 0n,
      interest: naira(interest),
      principal: 0n,
    });
  },
);

test("a late fee that was charged after a refund takes nothing from it", () => {
  const steps = ["pay:2026-02-28:21500.00", "refund:2026-04-05:41600.00", "late:2:215.00"];
  const { effects } = positionOf(play(...steps));
  expect(effects.get("off3")).toMatchObject({ lateFee: 0n, interest: naira("1,500.00"), credit: naira("100.00") });
});

test("an instalment of which nothing is left counts as paid when the refund came", () => {
  const { instalments, closedAt } = positionOf(play("refund:2026-02-01:60000.00"));
  const then = startOfLagosDay(date("2026-02-01"));
  expect([...instalments.map(({ paidAt }) => paidAt), closedAt]).toEqual([then, then, then, then]);
});

test("what was prepaid for instalments to come is credit when they are refunded", () => {
  const { credit, effects, allocations } = positionOf(play("pay:2026-01-31:30000.00", "refund:2026-01-31:60000.00"));
  expect(credit).toBe(naira("30,000.00"));
  expect(effects.get("off3")).toEqual({
    principal: naira("60,000.00"),
    waivedInterest: naira("4,500.00"),
    waivedFees: 0n,
    lateFee: 0n,
    fees: 0n,
    interest: naira("-3,000.00"),
    paidPrincipal: naira("-27,000.00"),
    credit: naira("30,000.00"),
    suspense: 0n,
    refunded: 0n,
  });
  // What a repayment paid when it came stays told.
  expect(allocations.get("pay2")).toMatchObject({ interest: naira("3,000.00"), credit: 0n });
});

test("credit that a refund made is given back without touching what the loan took", () => {
  const history = play("pay:2026-02-28:43000.00", "refund:2026-03-02:60000.00");
  const before = positionOf(history);
  expect(before.credit).toBe(naira("41,500.00"));
  const after = positionOf(happened(history, "back:2026-03-03:41499.99", 9));
  expect(after.credit).toBe(naira("0.01"));
  expect(after.instalments).toEqual(before.instalments);
  expect(after.effects.get("off3")).toMatchObject({ credit: naira("0.01"), refunded: naira("41,499.99") });
});

test("credit that was given back is owed again when the repayment that made it bounces", () => {
  const steps = ["pay:2026-02-01:60000.00", "pay:2026-02-01:4500.00", "refund:2026-02-02:20000.00"];
  const history = happened(play(...steps), "back:2026-02-03:21500.00", 9);
  expect(positionOf(history)).toMatchObject({ credit: 0n, takenBack: new Map() });
  const [first, second] = history.repayments;
  if (first === undefined || second === undefined) throw new Error("two repayments were made");
  const bounced = { ...second, reversedAt: new Date(), reversalReason: "bounced" };
  const after = positionOf({ ...history, repayments: [first, bounced] });
  expect(after.takenBack).toEqual(new Map([["back9", naira("4,500.00")]]));
  expect([after.credit, after.closedAt, after.unborne]).toEqual([0n, null, 0n]);
  expect(after.instalments.map(unpaid)).toEqual([0n, 0n, naira("4,500.00")]);
});

test("a refund that no money bears is a history that cannot be", () => {
  expect(positionOf(play("pay:2026-02-01:100.00", "refund:2026-02-02:1.00", "back:2026-02-03:100.01"))).toMatchObject({
    unborne: 1n,
  });
});
