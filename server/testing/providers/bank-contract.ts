/**
 * What every bank rail must do, whatever is behind it: the simulated bank, or a provider's adapter with the provider's
 * twin behind it. A case throws when the rail does not keep it. The planted rails at the end are wrong on purpose: each
 * must fail at least one case, which shows that the cases can tell right from wrong.
 */
import assert from "node:assert/strict";
import type { BankRail, PaymentOrder, QueryAnswer } from "../../src/rails/bank.ts";
import type { ContractCase } from "./contract.ts";

/** What becomes of an order that is made now. */
/** How a payment can go on at the other side. */
export type Decision = "paid" | "refused" | "taken back";

export type Fate = "paid" | "refused" | "pending" | "paid, reply lost";

export interface BankBench {
  readonly rail: BankRail;
  /** A new order, with its fate prepared at the other side. */
  order(fate: Fate): PaymentOrder | Promise<PaymentOrder>;
  /** Ends an open payment, or takes a paid one back. */
  decide(order: PaymentOrder, to: Decision): unknown;
  /** Kobo that left for the order and stayed away, by the other side's books. */
  moved(order: PaymentOrder): bigint | Promise<bigint>;
  /** Whether a question says that a payment was taken back; else it is told by other means. */
  readonly tellsTakenBack: boolean;
  /** An account that exists, one that does not, and one at a bank that cannot be reached. */
  readonly accounts: Readonly<Record<"known" | "unknown" | "unreached", { nipCode: string; accountNumber: string }>>;
}

/** The bank that a twin of a provider does not have, and its accounts. */
export const missingBank = "50211";
export const twinAccounts: BankBench["accounts"] = {
  known: { nipCode: "000013", accountNumber: "0123456789" },
  unknown: { nipCode: "000013", accountNumber: "0000000000" },
  unreached: { nipCode: "090267", accountNumber: "0123456789" },
};

async function expectAsked(bench: BankBench, order: PaymentOrder, outcome: QueryAnswer["outcome"]): Promise<void> {
  assert.equal((await bench.rail.query(order)).outcome, outcome);
}

async function expectMoved(bench: BankBench, order: PaymentOrder, amount: bigint): Promise<void> {
  assert.equal(await bench.moved(order), amount);
}

export const bankContract: readonly ContractCase<BankBench>[] = [
  {
    name: "a payment is made once, and a question says so as often as it is asked",
    async run(bench) {
      const order = await bench.order("paid");
      assert.equal((await bench.rail.send(order)).outcome, "success");
      await expectAsked(bench, order, "success");
      await expectAsked(bench, order, "success");
      await expectMoved(bench, order, order.amount);
    },
  },
  {
    name: "after a lost reply the order is unknown, a question finds it, and nothing was paid twice",
    async run(bench) {
      const order = await bench.order("paid, reply lost");
      assert.equal((await bench.rail.send(order)).outcome, "unknown");
      await expectAsked(bench, order, "success");
      await expectMoved(bench, order, order.amount);
    },
  },
  {
    name: "a second order under the same id is the same payment",
    async run(bench) {
      const order = await bench.order("paid");
      await bench.rail.send(order);
      const second = await bench.rail.send(order);
      assert.ok(second.outcome === "success" || second.outcome === "unknown", second.outcome);
      await expectAsked(bench, order, "success");
      await expectMoved(bench, order, order.amount);
    },
  },
  {
    name: "orders under the same id at the same time are one payment",
    async run(bench) {
      const order = await bench.order("paid");
      const answers = await Promise.all(Array.from({ length: 5 }, () => bench.rail.send(order)));
      assert.ok(answers.every(({ outcome }) => outcome === "success" || outcome === "unknown"));
      await expectAsked(bench, order, "success");
      await expectMoved(bench, order, order.amount);
    },
  },
  {
    name: "an id that nobody has ordered under has no record, and still has none after the question",
    async run(bench) {
      const order = await bench.order("paid");
      await expectAsked(bench, order, "no_record");
      await expectAsked(bench, order, "no_record");
      await expectMoved(bench, order, 0n);
      assert.equal((await bench.rail.send(order)).outcome, "success");
    },
  },
  {
    name: "a refused payment is a failure, stays one, and moves nothing",
    async run(bench) {
      const order = await bench.order("refused");
      const answer = await bench.rail.send(order);
      assert.equal(answer.outcome, "failure");
      assert.ok(answer.code !== "" && answer.message !== "");
      await expectAsked(bench, order, "failure");
      await expectMoved(bench, order, 0n);
    },
  },
  {
    name: "a pending payment is unknown until it is paid",
    async run(bench) {
      const order = await bench.order("pending");
      assert.equal((await bench.rail.send(order)).outcome, "unknown");
      await expectAsked(bench, order, "unknown");
      await bench.decide(order, "paid");
      await expectAsked(bench, order, "success");
      await expectMoved(bench, order, order.amount);
    },
  },
  {
    name: "a pending payment is unknown until it is refused",
    async run(bench) {
      const order = await bench.order("pending");
      assert.equal((await bench.rail.send(order)).outcome, "unknown");
      await bench.decide(order, "refused");
      await expectAsked(bench, order, "failure");
      await expectMoved(bench, order, 0n);
    },
  },
  {
    name: "a payment that was taken back is told as such, or by other means, and the money is back",
    async run(bench) {
      const order = await bench.order("paid");
      await bench.rail.send(order);
      await bench.decide(order, "taken back");
      const told = bench.tellsTakenBack ? "taken_back" : "success";
      await expectAsked(bench, order, told);
      await expectAsked(bench, order, told);
      await expectMoved(bench, order, 0n);
    },
  },
  {
    name: "an account has a holder, or none, or its bank cannot be reached",
    async run({ rail, accounts, order }) {
      const { environmentId } = await order("paid");
      const ask = (account: keyof typeof accounts) => rail.resolveAccount({ environmentId, ...accounts[account] });
      const known = await ask("known");
      assert.ok(known.found === "yes" && known.accountName.trim() === known.accountName && known.accountName !== "");
      assert.equal((await ask("unknown")).found, "no");
      assert.equal((await ask("unreached")).found, "unavailable");
    },
  },
];

const unknown = { outcome: "unknown" } as const;
const success = { outcome: "success" } as const;
const failure = { outcome: "failure", code: "x", message: "x" } as const;

/** What a rail may mistake for something else. */
export const wrongBanks: Readonly<Record<string, (rail: BankRail) => BankRail>> = {
  "everything for unknown": (rail) => ({ ...rail, send: async () => unknown, query: async () => unknown }),
  "everything for a success": (rail) => ({ ...rail, send: async () => success, query: async () => success }),
  "an order that it never sent for a success": (rail) => ({ ...rail, send: async () => success }),
  "unknown for failed": (rail) => ({
    ...rail,
    send: async (order) => {
      const answer = await rail.send(order);
      return answer.outcome === "unknown" ? failure : answer;
    },
  }),
  "no record for failed": (rail) => ({
    ...rail,
    query: async (question) => {
      const answer = await rail.query(question);
      return answer.outcome === "no_record" ? failure : answer;
    },
  }),
  "failed for unknown": (rail) => ({
    ...rail,
    query: async (question) => {
      const answer = await rail.query(question);
      return answer.outcome === "failure" ? unknown : answer;
    },
  }),
  "every order for a new one": (rail) => ({
    ...rail,
    send: (order) => {
      otherIds += 1;
      return rail.send({ ...order, sessionId: `${order.sessionId.slice(0, 20)}${String(otherIds).padStart(10, "0")}` });
    },
  }),
};

let otherIds = 7_000_000_000;
