/** What bills have to tell in an overview. */
import { Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import type { OverviewSource } from "../platform/records/overview.ts";
import { billCategories } from "../rails/biller.ts";
import { readWaitingOrders } from "../rails/waiting-orders.ts";
import { billStatuses } from "./bill.ts";
import { countBills } from "./overview-store.ts";

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
