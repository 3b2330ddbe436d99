/** Random lives of loans against the ledger: whatever happens in whatever order, the books say what the loans say. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeOffLoanAccount } from "../../server/src/lending/account/move-loan-account.ts";
import { readRepayments } from "../../server/src/lending/account/read-loan-account.ts";
import { reduceLoanAccount } from "../../server/src/lending/collect/reduce-loan-account.ts";
import { refundCredit } from "../../server/src/lending/collect/refund-credit.ts";
import { reverseRepayment } from "../../server/src/lending/collect/reverse-repayment.ts";
import { explain, explainableFields } from "../../server/src/lending/explain/explain.ts";
import { repaymentChannels } from "../../server/src/lending/position/repayment.ts";
import { type Kobo, kobo } from "../../server/src/money/kobo.ts";
import { Problem } from "../../server/src/platform/problem.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createTestLender, naira, publish, type TestLender } from "../../server/testing/lending/lending.ts";

const database = await createTestDatabase();

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 45 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("repay" as const),
      /** Thousandths of the loan's balance; beyond a thousand it is overpaid. */
      thousandths: fc.integer({ min: 1, max: 1_200 }),
      channel: fc.constantFrom(...repaymentChannels),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("reverse" as const), pick: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("refund" as const), thousandths: fc.integer({ min: 1, max: 1_000 }) }),
  },
  {
    weight: 3,
    /** Thousandths of what can still be refunded of the order. */
    arbitrary: fc.record({ does: fc.constant("reduce" as const), thousandths: fc.integer({ min: 1, max: 1_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ does: "write off" as const }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** A thousandth part and more, at least a kobo. */
const part = (amount: Kobo, thousandths: number): Kobo => kobo((amount * BigInt(thousandths)) / 1_000n + 1n);

let references = 0;

async function run(lender: TestLender, accountId: string, step: Command): Promise<void> {
  const { announce } = lender;
  references += 1;
  const reference = `random-${references}`;
  if (step.does === "wait") return void (await lender.clock.advance(lender.environmentId, { days: step.days }));
  const { figures, credit, refundable } = await lender.read(accountId);
  if (step.does === "repay") {
    const amount = part(figures.balance, step.thousandths);
    return void (await lender.repay(accountId, amount, { channel: step.channel, reference }));
  }
  const work = lender.within(async (tx) => {
    if (step.does === "write off") return void (await writeOffLoanAccount(tx, { accountId, announce }));
    if (step.does === "reduce") {
      const amount = kobo((refundable * BigInt(step.thousandths)) / 1_000n);
      if (amount === 0n) return;
      return void (await reduceLoanAccount(tx, { accountId, amount, reference, reason: "random", announce }));
    }
    if (step.does === "refund") {
      const amount = kobo((credit * BigInt(step.thousandths)) / 1_000n);
      if (amount === 0n) return;
      return void (await refundCredit(tx, { accountId, amount, reference, channel: "cash", announce }));
    }
    const { repayments } = await readRepayments(tx, accountId, { page: 1, limit: 100 });
    const repaymentId = repayments[step.pick % Math.max(1, repayments.length)]?.id;
    if (repaymentId !== undefined) await reverseRepayment(tx, { accountId, repaymentId, reason: "random", announce });
  });
  await work.catch((error: unknown) => {
    // Money goes back the way it came, and what was refunded cannot be reversed: a refusal changes nothing.
    const refused = ["refund_channel_mismatch", "repayment_refunded"];
    if (!(error instanceof Problem) || !refused.includes(error.code)) throw error;
  });
}

test("whatever happens to a loan, ledger, figures and explanations agree at every step", async () => {
  const lender = await createTestLender(database);
  const reducing = await publish(lender, { interestMethod: "reducing", fee: { rate: 12_345n, fixed: naira("7.77") } });
  const flat = await publish(lender, { code: "flat", fee: { rate: 1n, fixed: naira("0.01") } });
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.bigInt(100_000n, 2_000_000n),
      fc.integer({ min: 1, max: 6 }),
      fc.array(command, { minLength: 4, maxLength: 12 }),
      async (isFlat, amount, tenor, steps) => {
        const terms = { amount: kobo(amount), tenor, tenorType: "monthly" } as const;
        const { id } = await lender.lend(terms, isFlat ? flat : reducing);
        for (const step of steps) {
          const refused = await run(lender, id, step).catch((error: unknown) => {
            if (error instanceof Problem && error.code === "invalid_state") return error.code;
            throw error;
          });
          const outcome = `${step.does}: ${refused ?? "done"}`;
          counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
          const { figures, credit, account } = await lender.read(id);
          expect(figures.balance >= 0n && credit >= 0n).toBe(true);
          if (account.status === "completed") expect(figures.balance).toBe(0n);
          for (const field of explainableFields) await lender.within((tx) => explain(tx, id, field));
          await lender.verify();
        }
      },
    ),
    { numRuns: 12 },
  );
  // The walk must have gone everywhere, or it proves little.
  for (const outcome of ["repay: done", "reverse: done", "wait: done", "refund: done", "reduce: done"]) {
    expect(counts.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  }
});
