/** What lending tells in a trace: how a loan was decided, paid out and closed, and the money that came for it. */
import { nairaNumber } from "../money/kobo.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import {
  findPartsOf,
  readAccountsOf,
  readMoneyOf,
  type TracedAccount,
  type TracedMoney,
  tracedLending,
} from "./trace-store.ts";

export const lendingTrace: TraceSource = {
  records: tracedLending,
  async tell(tx, { ids }) {
    const accounts = await readAccountsOf(tx, ids);
    const money = await readMoneyOf(tx, ids);
    return {
      steps: [...accounts.flatMap(accountSteps), ...money.flatMap(moneySteps)],
      also: await findPartsOf(tx, ids),
    };
  },
};

function accountSteps({ id, status, approvedAt, disbursedAt, closedAt }: TracedAccount): TraceStep[] {
  const ids = { loan_account: id };
  const steps: TraceStep[] = [];
  if (approvedAt !== null) {
    const detail = { status: "approved" };
    steps.push({ at: approvedAt, kind: "decision", title: "The loan is granted", detail, ids, ok: true });
  }
  if (disbursedAt !== null) {
    const detail = { status: "disbursed" };
    steps.push({ at: disbursedAt, kind: "state", title: "Paid out", detail, ids, ok: true });
  }
  if (closedAt !== null) steps.push({ at: closedAt, ...endOf(status), detail: { status }, ids });
  return steps;
}

/** Nobody but the lender rejects; what is open again was closed before, and is not any more. */
function endOf(status: TracedAccount["status"]): Pick<TraceStep, "kind" | "title" | "ok"> {
  if (status === "rejected") return { kind: "decision", title: "The loan is not granted", ok: false };
  return { kind: "state", title: `The loan is ${status.replace("_", " ")}`, ok: status === "completed" };
}

const titles = {
  repayment: "Repayment recorded",
  reduction: "Order refunded, the loan shrinks",
  credit_refund: "What was overpaid goes back",
} as const;

function moneySteps({ id, what, amount, at, version, reversedAt, reason, ...rest }: TracedMoney): TraceStep[] {
  const { channel, reference } = rest;
  const ids = { [what]: id };
  const detail = { amount: nairaNumber(amount), channel, reference };
  const came: TraceStep = { at, kind: "state", title: titles[what], detail, ids, ok: true, turn: version };
  if (reversedAt === null) return [came];
  const reversed = {
    kind: "state",
    title: "Repayment reversed",
    detail: { ...detail, reason },
    ids,
    ok: false,
  } as const;
  return [came, { at: reversedAt, ...reversed }];
}
