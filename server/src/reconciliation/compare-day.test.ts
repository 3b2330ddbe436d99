import fc from "fast-check";
import { expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import type { ProviderRecord } from "../rails/provider.ts";
import { compareDay, matchSides } from "./compare-day.ts";
import type { OurOrder } from "./reconciliation.ts";

const now = new Date("2026-11-16T02:00:00+01:00");
const noon = new Date("2026-11-14T12:00:00+01:00");
const justNow = new Date("2026-11-16T01:00:00+01:00");

interface Planted {
  readonly ours: OurOrder | null;
  readonly theirs: readonly ProviderRecord[];
  /** What must be found, as "kind subject". */
  readonly expected: readonly string[];
  readonly waits?: true;
}

interface Seed {
  readonly amount: number;
  readonly fee: number;
  /** More than nothing. */
  readonly other: number;
  readonly state: "success" | "failure" | "taken_back";
  readonly isNamed: boolean;
}

function orderOf(n: number, { amount, fee, state }: Seed, changes: Partial<OurOrder> = {}): OurOrder {
  const done = state === "success" ? kobo(BigInt(amount)) : kobo(0n);
  return {
    kind: "payout",
    type: "transfer",
    environmentId: "e",
    id: `id-${n}`,
    orderId: `order-${n}`,
    reference: `ref-${n}`,
    amount: kobo(BigInt(amount)),
    state,
    sentAt: noon,
    providerReference: `TRF_${n}`,
    fee: kobo(BigInt(fee)),
    ledger: done,
    ...changes,
  };
}

function recordOf(
  n: number,
  { amount, fee, state, isNamed }: Seed,
  changes: Partial<ProviderRecord> = {},
): ProviderRecord {
  return {
    kind: "payout",
    providerReference: `TRF_${n}`,
    ourId: isNamed ? `order-${n}` : null,
    amount: kobo(BigInt(amount)),
    fee: kobo(BigInt(fee)),
    status: state,
    word: state,
    createdAt: noon,
    ...changes,
  };
}

const others = { success: "failure", failure: "success", taken_back: "success" } as const;

/** Ways in which the sides of one payment can stand to each other. */
const plans = {
  agrees: (n: number, seed: Seed): Planted => ({ ours: orderOf(n, seed), theirs: [recordOf(n, seed)], expected: [] }),
  came_back: (n, seed) => ({
    ours: orderOf(n, { ...seed, state: "failure" }),
    theirs: [recordOf(n, { ...seed, state: "taken_back" })],
    expected: [],
  }),
  lost: (n, seed) => ({
    ours: orderOf(n, seed),
    theirs: [],
    expected: seed.state === "failure" ? [] : [`missing_at_provider ${n}`],
  }),
  stranger: (n, seed) => ({ ours: null, theirs: [recordOf(n, seed)], expected: [`missing_with_us ${n}`] }),
  paid_twice: (n, seed) => ({
    ours: orderOf(n, seed, { providerReference: null }),
    theirs: [
      recordOf(n, { ...seed, isNamed: true }),
      recordOf(n, { ...seed, isNamed: true }, { providerReference: `TRG_${n}` }),
    ],
    expected: [`missing_with_us ${n}`],
  }),
  other_than_told: (n, seed) => ({
    ours: orderOf(n, { ...seed, state: "success" }),
    theirs: [recordOf(n, { ...seed, isNamed: true }, { providerReference: `TRG_${n}` })],
    expected: [`missing_at_provider ${n}`, `missing_with_us ${n}`],
  }),
  amount: (n, seed) => ({
    ours: orderOf(n, seed),
    theirs: [recordOf(n, { ...seed, amount: seed.amount + seed.other })],
    expected: [`amount_differs ${n}`],
  }),
  no_amount: (n, seed) => ({ ours: orderOf(n, seed), theirs: [recordOf(n, seed, { amount: null })], expected: [] }),
  fee: (n, seed) => ({
    ours: orderOf(n, seed),
    theirs: [recordOf(n, { ...seed, fee: seed.fee + seed.other })],
    expected: [`fee_differs ${n}`],
  }),
  untold_fee: (n, seed) => ({ ours: orderOf(n, seed, { fee: null }), theirs: [recordOf(n, seed)], expected: [] }),
  status: (n, seed) => ({
    ours: orderOf(n, seed),
    theirs: [recordOf(n, { ...seed, state: others[seed.state] })],
    expected: [`status_differs ${n}`],
  }),
  still_open_there: (n, seed) => ({
    ours: orderOf(n, seed),
    theirs: [recordOf(n, seed, { status: "open" })],
    expected: [`status_differs ${n}`],
  }),
  booked_too_much: (n, seed) => ({
    ours: orderOf(n, seed, { ledger: kobo(BigInt((seed.state === "success" ? seed.amount : 0) + seed.other)) }),
    theirs: [recordOf(n, seed)],
    expected: [`${seed.state === "success" ? "amount" : "status"}_differs ${n}`],
  }),
  not_booked: (n, seed) => ({
    ours: orderOf(n, { ...seed, state: "success" }, { ledger: kobo(0n) }),
    theirs: [recordOf(n, { ...seed, state: "success" })],
    expected: [`status_differs ${n}`],
  }),
  open_on_both: (n, seed) => ({
    ours: orderOf(n, seed, { state: "open", ledger: kobo(0n) }),
    theirs: [recordOf(n, seed, { status: "open" })],
    expected: [],
    waits: true,
  }),
  open_and_young: (n, seed) => ({
    ours: orderOf(n, seed, { state: "open", ledger: kobo(0n), sentAt: justNow }),
    theirs: seed.isNamed ? [recordOf(n, seed)] : [],
    expected: [],
    waits: true,
  }),
  open_and_old: (n, seed) => ({
    ours: orderOf(n, seed, { state: "open", ledger: kobo(0n) }),
    theirs: seed.isNamed ? [recordOf(n, seed)] : [],
    expected: [seed.isNamed ? `status_differs ${n}` : `missing_at_provider ${n}`],
  }),
  trial: (n, seed) => ({
    ours: orderOf(n, seed, { state: "trial", amount: null, ledger: kobo(0n), providerReference: null, fee: null }),
    theirs: [recordOf(n, { ...seed, isNamed: true })],
    expected: [],
  }),
} as const satisfies Record<string, (n: number, seed: Seed) => Planted>;

const planted = fc.record({
  plan: fc.constantFrom(...(Object.keys(plans) as (keyof typeof plans)[])),
  amount: fc.integer({ min: 1, max: 1_000_000_000 }),
  fee: fc.integer({ min: 0, max: 10_000 }),
  other: fc.integer({ min: 1, max: 1_000_000 }),
  state: fc.constantFrom("success", "failure", "taken_back" as const),
  isNamed: fc.boolean(),
});

const subjectOf = (found: { readonly ours: OurOrder | null; readonly theirs: ProviderRecord | null }) =>
  (found.ours?.orderId ?? found.theirs?.providerReference ?? "").replace(/^\D+/, "");

test("whatever is planted in whatever order is found, and nothing else", () => {
  fc.assert(
    fc.property(fc.array(planted, { maxLength: 40 }), fc.boolean(), (drawn, isTurned) => {
      const all = drawn.map(({ plan, ...seed }, n) => plans[plan](n, seed as Seed) as Planted);
      const records = all.flatMap(({ theirs }) => theirs);
      const orders = all.flatMap(({ ours }) => ours ?? []);
      const sides = { orders, records: isTurned ? records.toReversed() : records };
      const { exceptions, counts, totals } = compareDay(matchSides(sides), ["payout"], now);
      expect(exceptions.map((found) => `${found.kind} ${subjectOf(found)}`).sort()).toEqual(
        all.flatMap(({ expected }) => expected).sort(),
      );
      expect(counts).toMatchObject({
        orders: orders.length,
        records: records.length,
        waiting: all.filter(({ waits }) => waits === true).length,
        exceptions: exceptions.length,
      });
      const done = orders
        .filter(({ state }) => state === "success")
        .reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
      expect(totals).toMatchObject([{ kind: "payout", orders: done }]);
    }),
    { numRuns: 300 },
  );
});

test("a card transaction that took nothing and that nobody of ours ordered is no exception, a payout is", () => {
  const seed: Seed = { amount: 5_000, fee: 0, other: 1, state: "failure", isNamed: true };
  const found = (kind: ProviderRecord["kind"]) =>
    compareDay(matchSides({ orders: [], records: [recordOf(1, seed, { kind })] }), [kind], now).exceptions.length;
  expect([found("charge"), found("payout"), found("refund")]).toEqual([0, 1, 1]);
});
