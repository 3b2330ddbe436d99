/** Loans to applicants, step by step. */
import { type LoanStatus, type NewLoan, waitUntil } from "@jara/sdk";
import { orAlreadyDone } from "./or-already-done.ts";
import type { Person } from "./people.ts";
import type { Playing } from "./playing.ts";

export type Terms = Pick<NewLoan, "amount" | "tenure" | "tenureType">;

export const usualTerms: Terms = { amount: 50_000, tenure: 3, tenureType: "monthly" };

export async function askForLoan({ jara }: Playing, person: Person, terms = usualTerms): Promise<string> {
  return (await jara.loans.create({ ...person, ...terms, longitude: 3.3792, latitude: 6.5244 })).id;
}

export async function statusOf({ jara }: Playing, id: string): Promise<LoanStatus> {
  return (await jara.loans.get(id)).loanRequest.status;
}

/** Approves at once, instead of after some seconds. */
export async function approve({ jara }: Playing, id: string): Promise<void> {
  await orAlreadyDone(jara.sandbox.loans.approve(id));
}

/** Approves and pays out at once. */
export async function payOut(playing: Playing, id: string): Promise<void> {
  await approve(playing, id);
  await orAlreadyDone(playing.jara.sandbox.loans.disburse(id));
  await playing.settle();
  await waitUntil(
    () => statusOf(playing, id),
    (status) => status === "active",
    { signal: playing.stopped, pollMs: 500 },
  );
}

/** Returns the id of the repayment. */
export async function repay({ jara, mark }: Playing, id: string, amount: number): Promise<string> {
  const reference = `${mark}-${id}-repayment`;
  return (await jara.loans.repayments.create(id, { amount, channel: "bank_transfer", reference })).id;
}

export async function repayEverything(playing: Playing, id: string): Promise<void> {
  const { loanDetails } = await playing.jara.loans.get(id);
  await repay(playing, id, loanDetails.balance);
}

export async function letFallOverdue(playing: Playing, id: string): Promise<void> {
  const { loans } = playing.jara;
  await passGrace(playing, async () => {
    const { loanRequest, loanDetails } = await loans.get(id);
    return { status: loanRequest.status, nextDueDate: loanDetails.nextDueDate };
  });
}

const mostDays = 60;

interface Owed {
  readonly status: string;
  readonly nextDueDate: string | null;
}

/** To the next due date, and then day by day, as long as the loan is neither overdue nor paid. */
export async function passGrace({ jara, pass }: Playing, read: () => Promise<Owed>): Promise<void> {
  const { status, nextDueDate } = await read();
  if (status !== "active" || nextDueDate === null) return;
  const { now } = await jara.sandbox.clock.get();
  if (nextDueDate > now) await pass({ to: nextDueDate });
  for (let days = 0; days < mostDays && (await read()).status === "active"; days += 1) await pass({ days: 1 });
}
