/**
 * Many payouts through an adapter whose provider misbehaves, by the rule that every order follows: what is unknown is
 * asked about, and what the provider has no record of is sent again under the same id. In the end our books and the
 * provider's must agree to the kobo. Chance comes from a seed and orders go one after another: a run can be repeated.
 */
import type { PaymentOrder, QueryAnswer } from "../../src/rails/bank.ts";
import type { BankBench, Fate } from "./bank-contract.ts";
import type { Twin } from "./twin.ts";
import { seededRandom } from "./twin-faults.ts";
import { heldRequests, untrueReplies, wireFaults } from "./twin-mischief.ts";

export interface PayoutBench extends BankBench {
  readonly twin: Pick<Twin, "misbehave" | "behave" | "calls">;
  /** Of the provider's books: every order under its id, what stayed away in all, and what the account lost in all. */
  readonly books: {
    readonly orders: ReadonlyMap<string, unknown>;
    paidOut(): number;
    spent(): number;
    fees(): number;
  };
  /** Whether the provider has not decided about the order yet. */
  isOpen(order: PaymentOrder): boolean;
  /** Where the record of a payment stands in a reply. */
  readonly recordName: string;
}

export interface PayoutRun {
  readonly orders: number;
  readonly calls: number;
  readonly faults: number;
  readonly sentAgain: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Kobo. */
  readonly ours: bigint;
  readonly theirs: bigint;
  /** What does not agree; empty when all is well. */
  readonly differences: readonly string[];
}

export interface PayoutRunOptions {
  readonly orders: number;
  readonly seed: number;
  /** From 0 to 1. */
  readonly share: number;
}

const fates: readonly Fate[] = ["paid", "paid", "paid", "paid", "refused", "pending"];
const mostQuestions = 300;

export async function runPayouts(bench: PayoutBench, { orders, seed, share }: PayoutRunOptions): Promise<PayoutRun> {
  const random = seededRandom(seed);
  const held = heldRequests(random);
  const ours = { paid: 0n, sentAgain: 0, outcomes: {} as Record<string, number>, differences: [] as string[] };
  bench.twin.misbehave({
    share,
    seed: seed + 1,
    faults: [...wireFaults, ...untrueReplies(bench.recordName), held.fault],
  });
  for (let n = 0; n < orders; n += 1) {
    const order = await bench.order(fates[Math.floor(random() * fates.length)] ?? "paid");
    const answer = await pursue(bench, order, random, () => {
      ours.sentAgain += 1;
    });
    await held.release();
    const outcome = await perhapsTakenBack(bench, order, answer, random);
    ours.outcomes[outcome] = (ours.outcomes[outcome] ?? 0) + 1;
    if (outcome === "success") ours.paid += order.amount;
    const believed = outcome === "success" ? order.amount : 0n;
    const booked = await bench.moved(order);
    if (believed !== booked) ours.differences.push(`${order.sessionId}: ${outcome}, and the books say ${booked} kobo`);
  }
  bench.twin.behave();
  await held.releaseAll();
  const { books, twin } = bench;
  const theirs = BigInt(books.paidOut());
  if (theirs !== ours.paid) ours.differences.push(`we paid ${ours.paid}, the provider ${theirs} kobo`);
  if (books.orders.size !== orders) ours.differences.push(`the provider has ${books.orders.size} orders of ${orders}`);
  const lost = BigInt(books.spent() - books.fees());
  if (lost !== ours.paid) ours.differences.push(`the account lost ${lost} kobo beside fees`);
  const { sentAgain, outcomes, differences } = ours;
  const faults = twin.calls.filter(({ fault }) => fault !== undefined).length;
  return { orders, calls: twin.calls.length, faults, sentAgain, outcomes, ours: ours.paid, theirs, differences };
}

async function pursue(
  bench: PayoutBench,
  order: PaymentOrder,
  random: () => number,
  onSentAgain: () => void,
): Promise<QueryAnswer> {
  let answer: QueryAnswer = await bench.rail.send(order);
  for (let question = 0; question < mostQuestions; question += 1) {
    if (answer.outcome === "no_record") {
      onSentAgain();
      answer = await bench.rail.send(order);
    } else if (answer.outcome === "unknown") {
      if (random() < 0.3) await decideIfOpen(bench, order, random);
      answer = await bench.rail.query(order);
    } else return answer;
  }
  return answer;
}

async function decideIfOpen(bench: PayoutBench, order: PaymentOrder, random: () => number): Promise<void> {
  if (bench.isOpen(order)) await bench.decide(order, random() < 0.7 ? "paid" : "refused");
}

/** One success in twenty is taken back, and the next definite answer must say so. */
async function perhapsTakenBack(
  bench: PayoutBench,
  order: PaymentOrder,
  answer: QueryAnswer,
  random: () => number,
): Promise<QueryAnswer["outcome"]> {
  if (answer.outcome !== "success" || random() >= 0.05 || (await bench.moved(order)) === 0n) return answer.outcome;
  await bench.decide(order, "taken back");
  for (let question = 0; question < mostQuestions; question += 1) {
    const { outcome } = await bench.rail.query(order);
    if (outcome !== "unknown") return outcome;
  }
  return "unknown";
}
