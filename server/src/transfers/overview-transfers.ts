/** What payouts have to tell in an overview. */
import { Type } from "typebox";
import { sum } from "../money/arithmetic.ts";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import { type OverviewSource, successRate } from "../platform/records/overview.ts";
import { bankName } from "../rails/bank-directory.ts";
import { readWaitingOrders } from "../rails/waiting-orders.ts";
import { countPayouts, type PayoutCount } from "./overview-store.ts";
import { transferTransitions } from "./transfer.ts";

const transferStatuses = keysOf(transferTransitions);

const rate = Nullable(
  Type.Number({ description: "Completed, of all that have an outcome: from 0 to 1.", examples: [0.9875] }),
);
const count = Type.Integer({ examples: [120] });

const payoutFigures = named(
  "PayoutFigures",
  Type.Object({
    count,
    amount: NairaNumber,
    successRate: rate,
    byStatus: Type.Array(Type.Object({ status: OneOf(transferStatuses), count, amount: NairaNumber })),
    byBank: Type.Array(
      Type.Object({
        bankCode: Type.String({ examples: ["058"] }),
        bankName: Type.String({ examples: ["Guaranty Trust Bank"] }),
        count,
        amount: NairaNumber,
        successRate: rate,
        medianSeconds: Nullable(Type.Number({ description: "From acceptance to completion.", examples: [2.4] })),
      }),
      { description: "Most payouts first." },
    ),
  }),
);

export const transferOverview: OverviewSource = {
  part: { name: "payouts", schema: payoutFigures },
  scope: "transfers:read",
  read: async (tx, period) => ({
    figures: figuresOf(await countPayouts(tx, period)),
    attention: await readWaitingOrders(tx, {
      table: "transfers",
      kind: "payouts_waiting",
      title: (waiting) => `${waiting} ${waiting === 1 ? "payout waits" : "payouts wait"} for the bank's answer.`,
    }),
  }),
};

function figuresOf(counts: readonly PayoutCount[]) {
  const banks = Map.groupBy(counts, ({ bankCode }) => bankCode);
  return {
    ...totalsOf(counts),
    byStatus: [...Map.groupBy(counts, ({ status }) => status)].map(([status, of]) => {
      const { successRate: _, ...totals } = totalsOf(of);
      return { status, ...totals };
    }),
    byBank: [...banks]
      .map(([bankCode, of]) => ({ bankCode, bankName: bankName(bankCode), ...bankOf(of) }))
      .sort(byCount),
  };
}

function bankOf(counts: readonly PayoutCount[]) {
  const median = counts.find(({ status }) => status === "completed")?.medianSeconds ?? null;
  return { ...totalsOf(counts), medianSeconds: median === null ? null : Math.round(median * 1_000) / 1_000 };
}

function totalsOf(counts: readonly PayoutCount[]) {
  const countIn = (...statuses: readonly string[]) =>
    counts.filter(({ status }) => statuses.includes(status)).reduce((total, each) => total + each.count, 0);
  return {
    count: countIn(...transferStatuses),
    amount: nairaNumber(sum(counts.map(({ amount }) => amount))),
    successRate: successRate(countIn("completed"), countIn("completed", "failed", "reversed")),
  };
}

function byCount(a: { readonly count: number }, b: { readonly count: number }): number {
  return b.count - a.count;
}
