/** What every biller must keep to, the simulated one and each adapter on its twin. */
import { expect } from "vitest";
import type { BillerRail, VendOrder, VendQueryAnswer } from "../../src/rails/biller.ts";
import type { ContractCase } from "./contract.ts";

/** What a biller is made to do with an order. */
export type VendFate = "delivered" | "refused" | "pending" | "reply_lost";

export interface BillerSubject {
  readonly rail: BillerRail;
  /** A new order for a prepaid meter that will meet this fate. */
  order(fate: VendFate): VendOrder;
  /** Ends a pending order at the biller, or takes a delivery back there. */
  finish(order: VendOrder, to: "delivered" | "refused" | "reversed"): Promise<void>;
  /** How often the biller's own books say that the order was delivered. */
  deliveries(order: VendOrder): Promise<number>;
  /** Whether a question tells that a delivery was taken back; otherwise the biller gives notice of it. */
  readonly tellsTakenBack: boolean;
  /** A meter that nobody has; null where the simulation knows none. */
  readonly unknownMeter: string | null;
}

const delivered = {
  outcome: "success",
  delivery: {
    token: expect.stringMatching(/^\d{20}$/),
    units: expect.stringMatching(/^\d+\.\d{2}$/),
    receiptNumber: expect.any(String),
  },
};
const refused = { outcome: "failure", code: expect.any(String), message: expect.stringMatching(/\w+ \w+/) };
const unknown = { outcome: "unknown" };

export const billerContract: readonly ContractCase<BillerSubject>[] = [
  {
    name: "an order is delivered once, and every question repeats the answer",
    run: async ({ rail, order, deliveries }) => {
      const sent = order("delivered");
      const answer = await rail.vend(sent);
      expect(answer).toMatchObject(delivered);
      for (let time = 0; time < 3; time += 1) expect(deliveryIn(await rail.query(sent))).toEqual(deliveryIn(answer));
      expect(await deliveries(sent)).toBe(1);
    },
  },
  {
    name: "a refused order is a failure for good, with words for people",
    run: async ({ rail, order, deliveries }) => {
      const sent = order("refused");
      expect(await rail.vend(sent)).toMatchObject(refused);
      for (let time = 0; time < 3; time += 1) expect(await rail.query(sent)).toMatchObject(refused);
      expect(await deliveries(sent)).toBe(0);
    },
  },
  {
    name: "after a lost reply nobody knows, a question finds the delivery, and nothing was bought twice",
    run: async ({ rail, order, deliveries }) => {
      const sent = order("reply_lost");
      expect(await rail.vend(sent)).toMatchObject(unknown);
      expect(await rail.query(sent)).toMatchObject(delivered);
      expect(await deliveries(sent)).toBe(1);
    },
  },
  {
    name: "an order under a used id is the same order",
    run: async ({ rail, order, deliveries }) => {
      const sent = order("delivered");
      await rail.vend(sent);
      const again = await rail.vend(sent);
      expect(again.outcome).not.toBe("failure");
      expect(await rail.query(sent)).toMatchObject(delivered);
      expect(await deliveries(sent)).toBe(1);
    },
  },
  {
    name: "ten orders at once under one id are one delivery",
    run: async ({ rail, order, deliveries }) => {
      const sent = order("delivered");
      const answers = await Promise.all(Array.from({ length: 10 }, () => rail.vend(sent)));
      expect(answers.filter(({ outcome }) => outcome === "failure")).toEqual([]);
      expect(await rail.query(sent)).toMatchObject(delivered);
      expect(await deliveries(sent)).toBe(1);
    },
  },
  {
    name: "the biller has no record of an id that was never used",
    run: async ({ rail, order }) => {
      expect(await rail.query(order("delivered"))).toEqual({ outcome: "no_record" });
    },
  },
  {
    name: "a pending order is unknown until it is delivered",
    run: async ({ rail, order, finish, deliveries }) => {
      const sent = order("pending");
      expect(await rail.vend(sent)).toMatchObject(unknown);
      expect(await rail.query(sent)).toMatchObject(unknown);
      await finish(sent, "delivered");
      expect(await rail.query(sent)).toMatchObject(delivered);
      expect(await deliveries(sent)).toBe(1);
    },
  },
  {
    name: "a pending order is unknown until it is refused",
    run: async ({ rail, order, finish, deliveries }) => {
      const sent = order("pending");
      expect(await rail.vend(sent)).toMatchObject(unknown);
      await finish(sent, "refused");
      expect(await rail.query(sent)).toMatchObject(refused);
      expect(await deliveries(sent)).toBe(0);
    },
  },
  {
    name: "a delivery that was taken back is told as such, however often it is asked about",
    run: async ({ rail, order, finish, tellsTakenBack }) => {
      const sent = order("delivered");
      expect(await rail.vend(sent)).toMatchObject(delivered);
      await finish(sent, "reversed");
      const told = tellsTakenBack ? { ...refused, outcome: "taken_back" } : delivered;
      for (let time = 0; time < 3; time += 1) expect(await rail.query(sent)).toMatchObject(told);
    },
  },
  {
    name: "a customer has a name, and a number that nobody has is found out",
    run: async ({ rail, order, unknownMeter }) => {
      const asked = order("delivered");
      expect(await rail.validate(asked)).toMatchObject({
        found: "yes",
        customer: { name: expect.stringMatching(/\w/) },
      });
      if (unknownMeter !== null)
        expect(await rail.validate({ ...asked, customer: unknownMeter })).toEqual({ found: "no" });
    },
  },
];

function deliveryIn(answer: VendQueryAnswer) {
  return answer.outcome === "success" ? answer.delivery : answer.outcome;
}

const anything = { token: "1".repeat(20), units: "1.00", receiptNumber: "1" };

/** Mistakes that adapters have been seen to make. Each must break the contract. */
export const wrongBillers: Readonly<Record<string, (rail: BillerRail) => BillerRail>> = {
  "always unknown": (rail) => ({
    ...rail,
    vend: async (order) => (await rail.vend(order)) && { outcome: "unknown" },
    query: async () => ({ outcome: "unknown" }),
  }),
  "always success": (rail) => ({
    ...rail,
    vend: async (order) => (await rail.vend(order)) && { outcome: "success", delivery: anything },
    query: async () => ({ outcome: "success", delivery: anything }),
  }),
  "no answer is a failure": (rail) => ({
    ...rail,
    vend: async (order) => {
      const answer = await rail.vend(order);
      return answer.outcome === "unknown" ? { outcome: "failure", code: "timeout", message: "It timed out." } : answer;
    },
  }),
  "no record is a failure": (rail) => ({
    ...rail,
    query: async (order) => {
      const answer = await rail.query(order);
      return answer.outcome === "no_record" ? { outcome: "failure", code: "none", message: "Not found." } : answer;
    },
  }),
  "a new id for every try": (rail) => ({
    ...rail,
    vend: (order) => rail.vend({ ...order, requestId: otherId(order.requestId) }),
  }),
  "everybody exists": (rail) => ({
    ...rail,
    validate: async () => ({
      found: "yes",
      customer: { name: null, address: null, subscription: null, renewalAmount: null },
    }),
  }),
};

let tries = 0;

function otherId(requestId: string): string {
  tries += 1;
  const tail = String(tries).padStart(6, "0");
  return `${requestId.slice(0, -tail.length)}${tail}`;
}
