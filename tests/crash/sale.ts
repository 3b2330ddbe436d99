/** The steps of a sale on credit. */
import { setTimeout as pause } from "node:timers/promises";
import { type Money, orderName } from "./diary.ts";
import type { Till } from "./till.ts";

export type CardOutcome = "linked" | "declined" | "declines_later";

interface Loan {
  readonly id: string;
  readonly status: string;
  readonly balance: number;
}

interface Customer {
  readonly id: string;
  readonly kyc_status: string;
  readonly has_linked_card: boolean;
}

const askAgainAfterMs = 250;
const mostAsked = 120;

/** Returns a customer who may borrow; undefined for one who may not. */
export async function onboard(till: Till): Promise<string | undefined> {
  const { diary, random } = till;
  const number = till.next();
  // A BVN that ends with 0000 belongs to somebody else.
  const isStranger = random.between(1, 12) === 1;
  const bvn = isStranger ? `22${String(number).padStart(5, "0")}0000` : `22${String(number).padStart(8, "0")}1`;
  const person = {
    first_name: "Adaeze",
    last_name: "Okafor",
    email: `crash-${number}@example.com`,
    // A phone of one's own: people who share one share a limit.
    phone: `+234803${String(number).padStart(7, "0")}`,
    bvn,
    date_of_birth: "1994-06-21",
    external_id: `crash-${number}`,
  };
  let customer = await till.post<Customer>("/loans/bnpl/customers", person);
  // The register lies in the database too: one that was away could not tell. To onboard again asks it again.
  for (let again = 0; customer?.kyc_status === "pending" && again < mostAsked; again += 1) {
    await pause(askAgainAfterMs);
    customer = await till.post<Customer>("/loans/bnpl/customers", person);
  }
  if (customer === undefined) return undefined;
  diary.customers.add(customer.id);
  const verdict = isStranger ? "failed" : "verified";
  if (customer.kyc_status !== verdict) diary.surprises.push(`customer ${customer.id} is ${customer.kyc_status}`);
  if (!isStranger) return customer.id;
  await order(till, customer.id, ["not_eligible"]);
  return undefined;
}

export async function order(
  till: Till,
  customerId: string,
  expected: readonly string[] = [],
): Promise<string | undefined> {
  const { diary, random } = till;
  const naira = 5_000 + random.between(0, 40) * 1_000 + (till.next() % 1_000);
  const asked = { customerId, amount: BigInt(naira) * 100n };
  diary.orders.add(orderName(asked));
  const loan = await till.post<Loan>(
    `/loans/bnpl/customers/${customerId}/loans`,
    {
      amount: naira,
      tenor: random.pick([1, 1, 3, 6]),
      bank_account_no: "0123456789",
      bank_code: random.pick(["058", "058", "044"]),
    },
    expected,
  );
  if (loan !== undefined) diary.loans.set(loan.id, asked);
  return loan?.id;
}

export async function consent(till: Till, loanId: string): Promise<void> {
  const path = `/loans/bnpl/loans/${loanId}/consent`;
  if ((await till.post(`${path}/request`, undefined)) === undefined) return;
  // A try is counted before it is looked at, so a storm may use up all five.
  const given = await till.post(`${path}/verify`, { otp: "123456" }, ["otp_attempts_exceeded"]);
  if (given !== undefined) till.diary.consents.add(loanId);
}

export async function linkCards(till: Till, customerId: string, outcomes: readonly CardOutcome[]): Promise<void> {
  for (const outcome of outcomes) await linkCard(till, customerId, outcome);
}

async function linkCard(till: Till, customerId: string, outcome: CardOutcome): Promise<void> {
  const link = await till.post<{ link_id: string }>(`/loans/bnpl/customers/${customerId}/cards/link`, {});
  if (link === undefined) return;
  const path = `/sandbox/card-links/${link.link_id}/complete`;
  const request = { method: "POST", path, body: { outcome }, idempotencyKey: `shop-${till.next()}` } as const;
  // A server that dies while a card is being linked leaves it in progress until the network is asked again; then it is
  // used.
  await till.ask({ ...request, notYet: ["card_link_in_progress"] }, ["card_link_used"]);
  if (outcome === "declined") return;
  const { diary } = till;
  if (outcome === "declines_later") diary.declining.add(customerId);
  const customer = await till.until<Customer>(`/loans/bnpl/customers/${customerId}`, (read) => read.has_linked_card);
  if (customer !== undefined) diary.linked.add(customerId);
}

/** Perhaps too late, which is no surprise. */
export async function cancel(till: Till, loanId: string): Promise<void> {
  const path = `/loans/bnpl/loans/${loanId}/cancel`;
  const loan = await till.post<Loan>(path, undefined, ["invalid_state", "checkout_loan_being_disbursed"]);
  if (loan !== undefined) till.diary.cancelled.add(loanId);
}

/** Undefined when the shop closed before there was an answer. */
export function readLoan(till: Till, loanId: string): Promise<Loan | undefined> {
  return till.ask<Loan>({ method: "GET", path: `/loans/bnpl/loans/${loanId}` });
}

/** A repayment by card or wallet, or a refund. */
export async function takeMoney(till: Till, loanId: string): Promise<void> {
  const { diary, random } = till;
  const loan = await readLoan(till, loanId);
  if (loan?.status !== "active") return;
  const kind = random.pick<Money["kind"]>(["card", "card", "wallet", "refund"]);
  const isAll = kind !== "refund" && random.between(1, 4) === 1;
  const naira = isAll ? loan.balance : random.between(1, Math.max(1, Math.floor(loan.balance / 4)));
  const reference = `shop-money-${till.next()}`;
  const money: Money = { kind, loanId, amount: BigInt(Math.round(naira * 100)), told: "nothing" };
  diary.money.set(reference, money);
  const what = kind === "refund" ? { reason: "One item was returned" } : { channel: kind };
  const path = `/loans/bnpl/loans/${loanId}/${kind === "refund" ? "refund" : "repayments"}`;
  const insist = async (): Promise<void> => {
    money.told = (await till.insist(path, { amount: naira, reference, ...what })) ?? money.told;
  };
  // A client that lost its patience may send the same while the first is still under way: the reference makes it one.
  await Promise.all(random.between(1, 3) === 1 ? [insist(), insist()] : [insist()]);
  const customerId = diary.loans.get(loanId)?.customerId ?? "";
  if (money.told === "declined" && !diary.declining.has(customerId)) {
    diary.surprises.push(`${kind} ${reference} was declined although the card pays`);
  }
}
