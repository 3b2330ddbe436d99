/** Who in the checkout does something when a loan moves, in this order. */

import { schedule } from "../platform/work/agenda.ts";
import { followWithCollection } from "./cards/plan-collection.ts";
import type { LoanMoved } from "./loans/loan-moved.ts";
import { sendPlanLinkTask } from "./plans/plan-page.ts";
import { insertLinkMessage } from "./plans/plan-page-store.ts";
import { followLoan } from "./sessions/follow-loan.ts";

/** The money is out: the customer is sent the address of the plan's page, once, whatever becomes of the disbursement. */
const followWithPlanLink: LoanMoved = async (tx, loan, from) => {
  if (loan.status !== "active" || from !== "disbursed") return;
  const { clock } = tx.environment;
  const message = { loanId: loan.id, messageId: clock.newId(), tries: 0, createdAt: clock.now() };
  if (await insertLinkMessage(tx, message)) await schedule(tx, [{ kind: sendPlanLinkTask, subject: loan.id }]);
};

const followers: readonly LoanMoved[] = [followLoan, followWithCollection, followWithPlanLink];

export const loanMoved: LoanMoved = async (tx, loan, from) => {
  for (const follow of followers) await follow(tx, loan, from);
};
