import { schedule } from "../../platform/work/agenda.ts";
import type { LoanMoved } from "../loans/loan-moved.ts";
import { sendPlanLinkTask } from "./plan-page.ts";
import { insertLinkMessage } from "./plan-page-store.ts";

/** The money is out: the customer is sent the address of the plan's page, once, whatever becomes of the disbursement. */
export const followWithPlanLink: LoanMoved = async (tx, loan, from) => {
  if (loan.status !== "active" || from !== "disbursed") return;
  const { clock } = tx.environment;
  const message = { loanId: loan.id, messageId: clock.newId(), tries: 0, createdAt: clock.now() };
  if (await insertLinkMessage(tx, message)) await schedule(tx, [{ kind: sendPlanLinkTask, subject: loan.id }]);
};
