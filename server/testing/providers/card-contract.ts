/** What every card rail must keep to, the simulated network and each adapter on its twin. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type Kobo, kobo } from "../../src/money/kobo.ts";
import type { CardChargeOrder, CardRail, CardRefundOrder, LinkedCard } from "../../src/rails/card.ts";
import type { ContractCase } from "./contract.ts";

export type ChargeFate = "success" | "failed" | "paused" | "lost_reply";

export interface CardSubject {
  readonly rail: CardRail;
  readonly environmentId: string;
  /** Has the holder type a card in, and links it. */
  linkCard(): Promise<LinkedCard>;
  /** The next charge of the card meets this fate. */
  prepare(fate: ChargeFate): Promise<void>;
  /** What the holder, or the bank, does about a charge. */
  decide(chargeId: string, decision: "confirm" | "decline" | "take_back"): Promise<void>;
  /** The next refunds stay open. */
  slowRefunds(): Promise<void>;
  endRefund(refundId: string, to: "complete" | "fail"): Promise<void>;
  /** The reply to the next refund is lost. */
  loseRefundReply(): void;
  /** How often money was taken for a charge. */
  takings(chargeId: string): Promise<number>;
  /** What went back of a charge, in kobo, by how many refunds. */
  givenBack(chargeId: string): Promise<{ readonly count: number; readonly sum: bigint }>;
}

const amount: Kobo = kobo(2_150_000n);
const success = { outcome: "success" };
const unknown = { outcome: "unknown" };
const declined = { outcome: "declined", code: expect.any(String), message: expect.stringMatching(/\w+ \w+/) };

async function orderOf({ environmentId, linkCard }: CardSubject): Promise<CardChargeOrder> {
  const { token } = await linkCard();
  return { environmentId, chargeId: randomUUID(), token, amount, narration: "Loan repayment" };
}

const refundOf = ({ environmentId, chargeId }: CardChargeOrder, part: bigint): CardRefundOrder => ({
  environmentId,
  chargeId,
  refundId: randomUUID(),
  amount: kobo(part),
});

/** A charge that has paid. */
async function paid(subject: CardSubject): Promise<CardChargeOrder> {
  const order = await orderOf(subject);
  expect(await subject.rail.charge(order)).toMatchObject(success);
  return order;
}

export const cardContract: readonly ContractCase<CardSubject>[] = [
  {
    name: "a linked card has what a receipt shows, and a token that is not its number",
    run: async ({ linkCard }) => {
      const { token, brand, last4, expMonth, expYear } = await linkCard();
      expect({ brand, last4, expMonth, expYear }).toEqual({ brand: "visa", last4: "4081", expMonth: 12, expYear });
      expect(expYear).toBeGreaterThan(2025);
      expect(token.length).toBeGreaterThan(20);
    },
  },
  {
    name: "a charge takes money once, and every question repeats the answer",
    run: async (subject) => {
      const order = await paid(subject);
      for (let time = 0; time < 3; time += 1) expect(await subject.rail.query(order)).toMatchObject(success);
      expect(await subject.takings(order.chargeId)).toBe(1);
    },
  },
  {
    name: "a declined charge is declined for good, with words for people",
    run: async (subject) => {
      await subject.prepare("failed");
      const order = await orderOf(subject);
      expect(await subject.rail.charge(order)).toMatchObject(declined);
      for (let time = 0; time < 3; time += 1) expect(await subject.rail.query(order)).toMatchObject(declined);
      expect(await subject.takings(order.chargeId)).toBe(0);
    },
  },
  {
    name: "after a lost reply nobody knows, a question finds the charge, and nothing was taken twice",
    run: async (subject) => {
      const order = await orderOf(subject);
      await subject.prepare("lost_reply");
      expect(await subject.rail.charge(order)).toMatchObject(unknown);
      expect(await subject.rail.query(order)).toMatchObject(success);
      expect(await subject.takings(order.chargeId)).toBe(1);
    },
  },
  {
    name: "a charge under a used id is the same charge, also ten at once",
    run: async (subject) => {
      const order = await orderOf(subject);
      const answers = await Promise.all(Array.from({ length: 10 }, () => subject.rail.charge(order)));
      expect(answers.filter(({ outcome }) => outcome === "declined")).toEqual([]);
      expect((await subject.rail.charge(order)).outcome).not.toBe("declined");
      expect(await subject.rail.query(order)).toMatchObject(success);
      expect(await subject.takings(order.chargeId)).toBe(1);
    },
  },
  {
    name: "the network has no record of an id that was never used",
    run: async ({ rail, environmentId }) => {
      expect(await rail.query({ environmentId, chargeId: randomUUID(), amount })).toEqual({ outcome: "no_record" });
    },
  },
  {
    name: "a charge that its holder must confirm is neither paid nor declined until then",
    run: async (subject) => {
      await subject.prepare("paused");
      const order = await orderOf(subject);
      expect(await subject.rail.charge(order)).toMatchObject({ outcome: "needs_holder", url: expect.any(String) });
      expect(["needs_holder", "unknown"]).toContain((await subject.rail.query(order)).outcome);
      expect(await subject.takings(order.chargeId)).toBe(0);
      await subject.decide(order.chargeId, "confirm");
      expect(await subject.rail.query(order)).toMatchObject(success);
      expect(await subject.takings(order.chargeId)).toBe(1);
    },
  },
  {
    name: "a charge that its holder refuses is declined",
    run: async (subject) => {
      await subject.prepare("paused");
      const order = await orderOf(subject);
      await subject.rail.charge(order);
      await subject.decide(order.chargeId, "decline");
      expect(await subject.rail.query(order)).toMatchObject(declined);
    },
  },
  {
    name: "a charge that was taken back is told as such, however often it is asked about",
    run: async (subject) => {
      const order = await paid(subject);
      await subject.decide(order.chargeId, "take_back");
      for (let time = 0; time < 3; time += 1) {
        expect(await subject.rail.query(order)).toMatchObject({ ...declined, outcome: "taken_back" });
      }
    },
  },
  {
    name: "a refund gives back once, and a second order under its id is the same refund",
    run: async (subject) => {
      const order = await paid(subject);
      const refund = refundOf(order, 500_000n);
      await subject.rail.refund(refund);
      await subject.rail.refund(refund);
      expect((await subject.rail.queryRefund(refund)).outcome).toBe("success");
      expect(await subject.givenBack(order.chargeId)).toEqual({ count: 1, sum: 500_000n });
    },
  },
  {
    name: "two refunds of equal amount under two ids both go through",
    run: async (subject) => {
      const order = await paid(subject);
      for (const refund of [refundOf(order, 500_000n), refundOf(order, 500_000n)]) {
        await subject.rail.refund(refund);
        expect((await subject.rail.queryRefund(refund)).outcome).toBe("success");
      }
      expect(await subject.givenBack(order.chargeId)).toEqual({ count: 2, sum: 1_000_000n });
    },
  },
  {
    name: "after a lost reply a question finds the refund, and nothing went back twice",
    run: async (subject) => {
      const order = await paid(subject);
      const refund = refundOf(order, 500_000n);
      subject.loseRefundReply();
      expect(await subject.rail.refund(refund)).toMatchObject(unknown);
      expect((await subject.rail.queryRefund(refund)).outcome).toBe("success");
      await subject.rail.refund(refund);
      expect(await subject.givenBack(order.chargeId)).toEqual({ count: 1, sum: 500_000n });
    },
  },
  {
    name: "the network has no record of a refund that was never ordered",
    run: async (subject) => {
      const order = await paid(subject);
      expect(await subject.rail.queryRefund(refundOf(order, 500_000n))).toEqual({ outcome: "no_record" });
    },
  },
  {
    name: "a refund of more than was charged is declined",
    run: async (subject) => {
      const order = await paid(subject);
      expect(await subject.rail.refund(refundOf(order, 3_000_000n))).toMatchObject(declined);
      expect(await subject.givenBack(order.chargeId)).toEqual({ count: 0, sum: 0n });
    },
  },
  ...(["complete", "fail"] as const).map((to) => ({
    name: `a slow refund is unknown until it is decided: ${to}`,
    run: async (subject: CardSubject) => {
      await subject.slowRefunds();
      const order = await paid(subject);
      const refund = refundOf(order, 500_000n);
      expect(await subject.rail.refund(refund)).toMatchObject(unknown);
      for (let time = 0; time < 3; time += 1) expect(await subject.rail.queryRefund(refund)).toMatchObject(unknown);
      await subject.endRefund(refund.refundId, to);
      expect(await subject.rail.queryRefund(refund)).toMatchObject(to === "complete" ? success : declined);
    },
  })),
  {
    name: "a card that was unlinked is charged no more, and to unlink it again changes nothing",
    run: async (subject) => {
      const order = await orderOf(subject);
      const { environmentId, token } = order;
      for (let time = 0; time < 2; time += 1) {
        expect(await subject.rail.unlink({ environmentId, token })).toEqual({ outcome: "unlinked" });
      }
      expect(await subject.rail.charge(order)).toMatchObject(declined);
      expect(await subject.takings(order.chargeId).catch(() => 0)).toBe(0);
    },
  },
];

/** Mistakes that adapters have been seen to make. Each must break the contract. */
export const wrongCards: Readonly<Record<string, (rail: CardRail) => CardRail>> = {
  "everything for unknown": (rail) => ({
    ...rail,
    charge: async (order) => (await rail.charge(order)) && { outcome: "unknown" },
    query: async () => ({ outcome: "unknown" }),
  }),
  "everything for paid": (rail) => ({
    ...rail,
    charge: async (order) => (await rail.charge(order)) && { outcome: "success" },
    query: async () => ({ outcome: "success" }),
  }),
  "silence for a refusal": (rail) => ({
    ...rail,
    charge: async (order) => {
      const answer = await rail.charge(order);
      return answer.outcome === "unknown" ? { outcome: "declined", code: "timeout", message: "It timed out." } : answer;
    },
  }),
  "a pause for a refusal": (rail) => ({
    ...rail,
    charge: async (order) => {
      const answer = await rail.charge(order);
      return answer.outcome === "needs_holder" ? { outcome: "declined", code: "x", message: "It paused." } : answer;
    },
  }),
  "every refund for a new one": (rail) => ({
    ...rail,
    refund: (order) => rail.refund({ ...order, refundId: randomUUID() }),
  }),
  "an ordered refund for a made one": (rail) => ({
    ...rail,
    refund: async (order) => {
      const answer = await rail.refund(order);
      return answer.outcome === "unknown" ? { outcome: "success" } : answer;
    },
  }),
  "what was taken back for paid": (rail) => ({
    ...rail,
    query: async (question) => {
      const answer = await rail.query(question);
      return answer.outcome === "taken_back" ? { outcome: "success" } : answer;
    },
  }),
};
