/**
 * A shop that sells on credit under bad conditions. Each lane serves one customer after another: onboards, asks for a
 * loan, has consent given and a card linked in any order, and sometimes cancels. Between two customers it looks after a
 * loan that was sold before: when the money is out, it takes repayments by card and wallet and refunds. It writes down
 * what it was told.
 */
import type { Diary } from "./diary.ts";
import type { Random } from "./random.ts";
import { type CardOutcome, cancel, consent, linkCards, onboard, order, readLoan, takeMoney } from "./sale.ts";
import { openTill, type Till } from "./till.ts";

export interface Shop {
  readonly diary: Diary;
  stop(): Promise<void>;
}

const lanes = 8;
/** Loans that may wait for their payout before the shop waits too. */
const mostWaiting = 40;

export function startShop(baseUrl: string, key: string, random: Random): Shop {
  let stopping = false;
  const till = openTill(baseUrl, key, random, () => stopping);
  const sold: string[] = [];
  const running = Array.from({ length: lanes }, async () => {
    while (!stopping) {
      if (sold.length < mostWaiting) sold.push(...(await serve(till)));
      sold.push(...(await lookAfter(till, sold.shift())));
    }
  });
  return {
    diary: till.diary,
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
  };
}

/** Returns the loans that a customer leaves behind. */
async function serve(till: Till): Promise<string[]> {
  const { random, diary } = till;
  const customerId = await onboard(till);
  if (customerId === undefined) return [];
  const card = random.pick<CardOutcome>(["linked", "linked", "linked", "linked", "declines_later"]);
  const first = await sell(till, customerId, random.between(1, 6) === 1 ? ["declined", card] : [card]);
  // Somebody who has a card already needs no other.
  const comesBack = random.between(1, 4) === 1 && diary.linked.has(customerId);
  return comesBack ? [...first, ...(await sell(till, customerId, []))] : first;
}

async function sell(till: Till, customerId: string, cards: readonly CardOutcome[]): Promise<string[]> {
  const { random, diary } = till;
  const loanId = await order(till, customerId);
  if (loanId === undefined) return [];
  const cancels = random.pick(["no", "no", "no", "no", "early", "late"]);
  if (cancels === "early") {
    await cancel(till, loanId);
    return [];
  }
  const way = random.pick(["consent first", "card first", "both at once"]);
  if (way === "card first") await linkCards(till, customerId, cards);
  if (way === "both at once") await Promise.all([linkCards(till, customerId, cards), consent(till, loanId)]);
  else await consent(till, loanId);
  if (way === "consent first") await linkCards(till, customerId, cards);
  if (cancels === "late") await cancel(till, loanId);
  return diary.cancelled.has(loanId) || !diary.consents.has(loanId) ? [] : [loanId];
}

/** Returns the loan again while it waits for its payout. */
async function lookAfter(till: Till, loanId: string | undefined): Promise<string[]> {
  if (loanId === undefined) return [];
  const loan = await readLoan(till, loanId);
  if (loan === undefined || !isPaidOut(loan.status)) return [loanId];
  for (let left = till.random.between(0, 3); left > 0; left -= 1) await takeMoney(till, loanId);
  return [];
}

function isPaidOut(status: string): boolean {
  return ["active", "overdue", "completed"].includes(status);
}
