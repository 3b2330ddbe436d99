/** Instalments as the API shows them, wherever a loan is shown. */

import { type Static, Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { startOfLagosDay } from "../../platform/time/lagos-date.ts";
import { dueParts } from "../position/instalment.ts";
import { amountDue, type PlannedInstalment } from "../pricing/quote.ts";
import type { InstalmentView, LoanView } from "./read-loan-account.ts";

export const scheduleFields = {
  installment_number: Type.Integer({ examples: [1] }),
  due_date: Timestamp,
  principal: NairaNumber,
  interest: NairaNumber,
  fees: NairaNumber,
  amount_due: NairaNumber,
  late_fee: Type.Number({ description: "Added to amount_due when the instalment is overdue.", examples: [0] }),
  amount_paid: NairaNumber,
  balance: NairaNumber,
  status: OneOf(["pending", "partially_paid", "paid", "overdue"]),
  paid_at: Nullable(Timestamp),
};

export const scheduleItem = named("Installment", Type.Object({ id: Uuid, ...scheduleFields }));
export type ScheduleItem = Static<typeof scheduleItem>;

/** The last moment of the day in Lagos, on which the date in UTC is the same. */
export function presentDueDate(date: Temporal.PlainDate): string {
  return new Date(startOfLagosDay(date.add({ days: 1 })).getTime() - 1).toISOString();
}

export function presentPlanned(instalment: PlannedInstalment): Omit<ScheduleItem, "id"> {
  const due = nairaNumber(amountDue(instalment));
  return {
    installment_number: instalment.number,
    due_date: presentDueDate(instalment.dueDate),
    principal: nairaNumber(instalment.principal),
    interest: nairaNumber(instalment.interest),
    fees: nairaNumber(instalment.fees),
    amount_due: due,
    late_fee: 0,
    amount_paid: 0,
    balance: due,
    status: "pending",
    paid_at: null,
  };
}

/** The plan: there from approval on, with the amounts as they were agreed and, once it is paid out, its true state. */
export function presentPlan({ account, instalments }: LoanView): ScheduleItem[] {
  if (account.approvedAt === null) return [];
  return instalments.map((instalment) => {
    const planned = { id: instalment.id, ...presentPlanned(instalment) };
    if (account.disbursedAt === null) return planned;
    const { late_fee, amount_paid, balance, status, paid_at } = presentInstalment(instalment);
    return { ...planned, late_fee, amount_paid, balance, status, paid_at };
  });
}

/** The plan with what was paid: there from disbursement on. */
export function presentRepaymentSchedule({ account, instalments }: LoanView): ScheduleItem[] {
  return account.disbursedAt === null ? [] : instalments.map(presentInstalment);
}

function presentInstalment(instalment: InstalmentView): ScheduleItem {
  const due = dueParts(instalment);
  return {
    id: instalment.id,
    installment_number: instalment.number,
    due_date: presentDueDate(instalment.dueDate),
    principal: nairaNumber(due.principal),
    interest: nairaNumber(due.interest),
    fees: nairaNumber(due.fees),
    amount_due: nairaNumber(instalment.amountDue),
    late_fee: nairaNumber(instalment.lateFee),
    amount_paid: nairaNumber(instalment.amountPaid),
    balance: nairaNumber(instalment.balance),
    status: instalment.status,
    paid_at: instalment.paidAt?.toISOString() ?? null,
  };
}

/** The plan once it is approved, and what was paid of it once it is disbursed. */
export function presentSchedule(view: LoanView): ScheduleItem[] {
  return view.account.disbursedAt === null ? presentPlan(view) : presentRepaymentSchedule(view);
}

/** The same for who wants to see the plan before approval: what it would be if the loan started today. */
export function presentProjectedSchedule(view: LoanView): ScheduleItem[] {
  if (view.account.approvedAt !== null) return presentSchedule(view);
  return view.projected.map((instalment) => ({ id: instalment.id, ...presentPlanned(instalment) }));
}
