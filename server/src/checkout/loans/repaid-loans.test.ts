import { beforeAll, describe, expect, test } from "vitest";
import type { Lent } from "../../../testing/checkout/borrowers.ts";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";
import { verifyCredit } from "../verify-checkout.ts";

const app = await createCheckoutApp();
const { call } = app;

describe("what counts for the tier", () => {
  /** What is done to a loan: a repayment by a channel, of all that is left without an amount, or the order's refund. */
  type Step = readonly [channel: string, amount?: number];

  // 200,000.00 were lent, so 160,000.00 must have come by card and at most 40,000.00 in any other way. The second tier
  // asks for 150,000.00.
  // In the order of the days that a loan is out, which pass for all of them together: a month takes long to play.
  const cases: readonly [string, number, readonly Step[], number][] = [
    ["paid by card at once", 200_000, [["card"]], 1],
    ["paid by card after four weeks", 350_000, [["card"]], 28],
    ["paid from the merchant's wallet", 200_000, [["wallet"]], 28],
    ["paid from the merchant's wallet as a bank transfer", 200_000, [["bank_transfer"]], 28],
    ["reported as cash", 200_000, [["cash"]], 28],
    ["refunded but for a little, which the card has paid", 200_000, [["refund", 199_000], ["card"]], 28],
    ["paid by card and then refunded", 200_000, [["card"], ["refund", 199_000]], 28],
    ["paid by card and refunded by a fifth", 350_000, [["card"], ["refund", 40_000]], 28],
    ["paid by card and refunded by more than a fifth", 200_000, [["card"], ["refund", 40_000.01]], 28],
    ["paid by card and the rest from the merchant's wallet", 350_000, [["wallet", 40_000], ["card"]], 28],
    ["paid by card after more than a fifth from the wallet", 200_000, [["wallet", 40_000.01], ["card"]], 28],
  ];

  const loans = new Map<string, Lent>();
  let daysPassed = 0;

  beforeAll(async () => {
    // A month from February on is over within 28 days, and the card would be charged first.
    const month = await app.within(async (tx) => tx.environment.clock.now().getUTCMonth());
    if (month < 2) await app.advance({ days: 60 });
    for (const [name] of cases) loans.set(name, await app.lend("linked", { tenor: 1, amount: "200000" }));
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 2_000_000 } });
  });

  async function waitUntilOutFor(days: number): Promise<void> {
    if (days > daysPassed) await app.advance({ days: days - daysPassed });
    daysPassed = Math.max(days, daysPassed);
  }

  async function treat(loanId: string, steps: readonly Step[]): Promise<void> {
    for (const [step, [channel, wanted]] of steps.entries()) {
      const amount = wanted ?? Number((await app.read(loanId))["balance"]);
      const reference = `${step}-${loanId}`;
      const reply =
        channel === "refund"
          ? await call("POST", `/loans/bnpl/loans/${loanId}/refund`, {
              body: { amount, reason: "Returned", reference },
            })
          : await call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body: { amount, channel, reference } });
      expect(reply.statusCode, reply.body).toBeLessThan(300);
    }
  }

  test.each(cases)("a loan that was %s leaves a limit of %d", async (name, limit, steps, days) => {
    const { customerId = "", loanId = "" } = loans.get(name) ?? {};
    await waitUntilOutFor(days);
    await treat(loanId, steps);
    expect(await app.status(loanId)).toBe("completed");
    expect((await app.eligibility(customerId))["max_amount"]).toBe(limit);
  });

  test("and what is owed of each loan agrees with its account all along", async () => {
    expect(await app.within(verifyCredit)).toEqual([]);
    const { loanId } = await app.lend();
    await app.within((tx) =>
      tx.updateTable("checkout_loans").set({ owed_principal: 1n }).where("id", "=", loanId).execute(),
    );
    expect(await app.within(verifyCredit)).toEqual([
      { check: "owed principal", subject: loanId, expected: "60000.00", found: "0.01" },
    ]);
  });
});
