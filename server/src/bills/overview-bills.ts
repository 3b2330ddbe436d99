/** What bills have to tell in an overview. */

import { sql } from "kysely";
import { Type } from "typebox";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import type { OverviewSource, Period } from "../platform/records/overview.ts";
import { type BillCategory, billCategories } from "../rails/biller.ts";
import { readWaitingOrders } from "../rails/owed-outcomes.ts";
import { type BillStatus, billStatuses } from "./vending/bill.ts";

const billFigures = named(
  "BillFigures",
  Type.Array(
    Type.Object({
      category: OneOf(billCategories),
      status: OneOf(billStatuses),
      count: Type.Integer({ examples: [40] }),
      amount: NairaNumber,
      commission: NairaNumber,
    }),
    { description: "Bills that were accepted in the period, by category and the state that they have now." },
  ),
);

export const billOverview: OverviewSource = {
  part: { name: "bills", schema: billFigures },
  scope: "bills:read",
  read: async (tx, period) => ({
    figures: (await countBills(tx, period)).map(({ amount, commission, ...counted }) => ({
      ...counted,
      amount: nairaNumber(amount),
      commission: nairaNumber(commission),
    })),
    attention: await readWaitingOrders(tx, {
      table: "bills",
      kind: "bills_waiting",
      title: (waiting) => `${waiting} ${waiting === 1 ? "bill waits" : "bills wait"} for the biller's answer.`,
    }),
  }),
};

interface BillCount {
  readonly category: BillCategory;
  readonly status: BillStatus;
  readonly count: number;
  readonly amount: Kobo;
  readonly commission: Kobo;
}

/** Bills that were accepted in the period, by category and state. */
async function countBills(tx: Tx, { from, to }: Period): Promise<BillCount[]> {
  const found = await sql<Omit<BillCount, "amount" | "commission"> & { amount: bigint; commission: bigint }>`
    select b.category, b.status, count(*)::integer as count, sum(b.amount)::bigint as amount,
      sum(b.commission)::bigint as commission
    from bills b
    where b.environment_id = ${tx.environment.id}
      and b.id >= ${earliestIdFrom(from)}::uuid and b.id < ${idBeyond(to)}::uuid
      and b.created_at >= ${from} and b.created_at < ${to}
    group by b.category, b.status order by count desc limit 100`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount), commission: kobo(row.commission) }));
}
