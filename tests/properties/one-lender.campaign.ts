/**
 * Random people ask for loans at two merchants, several at a time, and take some back. Whatever they share (BVN, NIN,
 * phone) has one limit and one number of open loans at the lender, and what is owed agrees with the loans' accounts.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { nothingRepaid, startingPolicy, tierOf } from "../../server/src/checkout/credit/policy.ts";
import type { Person } from "../../server/src/checkout/customers/customer.ts";
import { onboardCustomer } from "../../server/src/checkout/customers/onboard-customer.ts";
import { requireCustomer } from "../../server/src/checkout/customers/read-customer.ts";
import { loanMoved } from "../../server/src/checkout/follow-loans.ts";
import { cancelCheckoutLoan } from "../../server/src/checkout/loans/end-checkout-loan.ts";
import { requireCheckoutLoan } from "../../server/src/checkout/loans/read-checkout-loan.ts";
import { requestLoan } from "../../server/src/checkout/loans/request-loan.ts";
import { verifyCredit, verifyPolicies } from "../../server/src/checkout/verify-checkout.ts";
import { kobo } from "../../server/src/money/kobo.ts";
import { inEnvironment, type Tx } from "../../server/src/platform/database/database.ts";
import { Problem } from "../../server/src/platform/problem.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { issueLiveKeyFor } from "../../server/testing/keys.ts";
import { asOwner } from "../../server/testing/work.ts";

const { db, ownerUrl, dependencies, operate, merchant, otherMerchant } = await createTestApp();
const { sealer } = dependencies;
const account = { bankCode: "058", bankAccountNo: "0123456789", bankName: "GTBank", accountName: "Mama Put Foods" };

async function liveOf(merchantId: string): Promise<string> {
  await issueLiveKeyFor(db, merchantId);
  const found = (await operate("GET", "/operator/merchants?limit=100"))
    .json()
    .data.find(({ id }: { id: string }) => id === merchantId);
  return found.environments.find(({ kind }: { kind: string }) => kind === "LIVE").id;
}

const shops = [await liveOf(merchant.merchant.id), await liveOf(otherMerchant.merchant.id)] as const;

const person = fc.record({ bvn: fc.nat({ max: 3 }), nin: fc.option(fc.nat({ max: 2 })), phone: fc.nat({ max: 3 }) });
const wish = fc.record({
  who: fc.nat({ max: 3 }),
  shop: fc.nat({ max: 1 }),
  thousands: fc.integer({ min: 5, max: 150 }),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ borrow: fc.array(wish, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ cancel: fc.nat({ max: 9 }) }) },
);

interface Lent {
  readonly id: string;
  readonly shop: string;
  readonly marks: readonly string[];
  readonly amount: bigint;
}

let rounds = 0;
let granted = 0;
let refused = 0;

/** Numbers that no other round has. */
function personOf(round: number, { bvn, nin, phone }: { bvn: number; nin: number | null; phone: number }): Person {
  const own = String(round).padStart(5, "0");
  return {
    firstName: "Ada",
    lastName: "Obi",
    email: "ada@example.com",
    address: null,
    externalId: null,
    bvn: `77${own}${bvn}001`,
    nin: nin === null ? null : `88${own}${nin}001`,
    dateOfBirth: null,
    phone: `+23480${own}${phone}01`,
  };
}

async function takeBack(tx: Tx, loanId: string): Promise<void> {
  await cancelCheckoutLoan(tx, { loanMoved }, await requireCheckoutLoan(tx, loanId, { lock: true }));
}

async function borrow(lent: Lent[], said: Person, shop: string, amount: bigint): Promise<void> {
  try {
    const loan = await inEnvironment(db, shop, async (tx) => {
      const { customer } = await onboardCustomer(tx, sealer, {
        person: said,
        answer: { outcome: "matched", phone: "fits" },
      });
      const locked = await requireCustomer(tx, customer.id, { lock: true });
      const application = { customer: locked, amount: kobo(amount), tenor: 3, account };
      const made = await requestLoan(tx, { loanMoved, sealer }, application);
      return { id: made.id, phone: customer.phone };
    });
    const marks = [said.bvn, ...(said.nin === null ? [] : [said.nin]), loan.phone];
    lent.push({ id: loan.id, shop, marks, amount });
    granted += 1;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    refused += 1;
  }
}

function check(lent: readonly Lent[]): void {
  const { limit } = tierOf(startingPolicy, nothingRepaid);
  for (const mark of new Set(lent.flatMap(({ marks }) => marks))) {
    const own = lent.filter(({ marks }) => marks.includes(mark));
    expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBeLessThanOrEqual(limit);
    expect(own.length).toBeLessThanOrEqual(startingPolicy.mostOpenLoans);
  }
}

test("nobody gets more than one limit from one lender, whatever they share and however they ask", async () => {
  const people = fc.array(person, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(people, fc.array(step, { minLength: 4, maxLength: 8 }), async (said, steps) => {
      rounds += 1;
      // One BVN is one person: a second customer under it is taken for the first.
      const known = said.map((each) => personOf(rounds, said.find(({ bvn }) => bvn === each.bvn) ?? each));
      const lent: Lent[] = [];
      for (const next of steps) {
        if ("borrow" in next) {
          await Promise.all(
            next.borrow.map(({ who, shop, thousands }) => {
              const whom = known[who];
              return whom && borrow(lent, whom, shops[shop] ?? shops[0], BigInt(thousands) * 100_000n);
            }),
          );
        } else {
          const [gone] = lent.splice(next.cancel % Math.max(1, lent.length), 1);
          if (gone) await inEnvironment(db, gone.shop, (tx) => takeBack(tx, gone.id));
        }
        check(lent);
      }
    }),
    { numRuns: 8 },
  );
  for (const shop of shops) expect(await inEnvironment(db, shop, verifyCredit)).toEqual([]);
  // A run that only grants, or only refuses, would prove nothing.
  expect([granted > 0, refused > 0]).toEqual([true, true]);
});

test("verify names live loans that were allowed by another policy than that of their day", async () => {
  const found = () => inEnvironment(db, shops[0], verifyPolicies);
  expect(await found()).toEqual([]);
  await asOwner(
    ownerUrl,
    `alter table credit_policies no force row level security;
     insert into credit_policies select environment_id, version + 1, effective_from, rules, created_at
     from credit_policies where environment_id = '${shops[0]}';
     alter table credit_policies force row level security`,
  );
  const [first] = await found();
  expect(first).toMatchObject({ check: "loan has the policy of its day", expected: "4", found: "3" });
});
