/** What payouts have to tell in an overview. */

import { sql } from "kysely";
import { Type } from "typebox";
import { sum } from "../money/arithmetic.ts";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import { type OverviewSource, type Period, successRate } from "../platform/records/overview.ts";
import { bankName } from "../rails/bank-directory.ts";
import { readWaitingOrders } from "../rails/owed-outcomes.ts";
import { type TransferStatus, transferTransitions } from "./payouts/transfer.ts";

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

interface PayoutCount {
  readonly bankCode: string;
  readonly status: TransferStatus;
  readonly count: number;
  readonly amount: Kobo;
  /** From acceptance to outcome; null while there is none. */
  readonly medianSeconds: number | null;
}

/** Payouts that were accepted in the period, by bank and state. Ids carry their time, so the primary key finds them. */
async function countPayouts(tx: Tx, { from, to }: Period): Promise<PayoutCount[]> {
  const found = await sql<Omit<PayoutCount, "amount"> & { amount: bigint }>`
    select t.bank_code as "bankCode", t.status, count(*)::integer as count, sum(t.amount)::bigint as amount,
      percentile_cont(0.5) within group (order by extract(epoch from t.completed_at - t.created_at)) as "medianSeconds"
    from transfers t
    where t.environment_id = ${tx.environment.id} and t.purpose = 'payout'
      and t.id >= ${earliestIdFrom(from)}::uuid and t.id < ${idBeyond(to)}::uuid
      and t.created_at >= ${from} and t.created_at < ${to}
    group by t.bank_code, t.status order by count desc limit 5000`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount) }));
}
