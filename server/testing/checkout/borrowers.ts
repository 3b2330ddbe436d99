/** Customers who borrow at the checkout, in a sandbox whose clock stands still unless a test lets it run. */
import { expect } from "vitest";
import { onboardCustomer } from "../../src/checkout/customers/onboard-customer.ts";
import { requireCustomer } from "../../src/checkout/customers/read-customer.ts";
import { loanMoved } from "../../src/checkout/follow-loans.ts";
import type { CheckoutLoan } from "../../src/checkout/loans/checkout-loan.ts";
import { type LoanApplication, requestLoan } from "../../src/checkout/loans/request-loan.ts";
import { parseNaira, zeroKobo } from "../../src/money/kobo.ts";
import { inEnvironment, type Tx } from "../../src/platform/database/database.ts";
import type { CardOutcome } from "../../src/sandbox/card/card-number.ts";
import { createTestApp, type TestApp } from "../app.ts";
import { freeze, heardBy } from "../lending/loans.ts";

interface LoanTerms {
  readonly amount?: string;
  readonly tenor?: number;
}

export interface BorrowingApp extends TestApp {
  /** A customer who may borrow; of another merchant's sandbox when asked. */
  customer(environmentId?: string): Promise<string>;
  /** A loan that waits for consent; in another environment when asked. */
  loan(customerId: string, terms?: LoanTerms & { readonly environmentId?: string }): Promise<string>;
  /** Returns the link's id. */
  link(customerId: string, outcome: CardOutcome): Promise<string>;
  consent(loanId: string): Promise<void>;
  /** A loan of which the money is out, by a customer with a card that plays the outcome. */
  lend(outcome?: Exclude<CardOutcome, "declined">, terms?: LoanTerms): Promise<Lent>;
  advance(by: Readonly<Record<string, unknown>>): Promise<void>;
  heard(resourceId: string): Promise<string[]>;
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  status(loanId: string): Promise<string | undefined>;
}

export interface Lent {
  readonly customerId: string;
  readonly loanId: string;
}

let people = 0;

export async function createBorrowingApp({ frozen = true, requestLogDays = 7 } = {}): Promise<BorrowingApp> {
  const testing = await createTestApp({ requestLogDays });
  const { call, db, dependencies } = testing;
  if (frozen) await freeze(testing);
  const ownId = testing.merchant.environment.id;
  const within = <T>(work: (tx: Tx) => Promise<T>, environmentId = ownId) => inEnvironment(db, environmentId, work);
  const advance: BorrowingApp["advance"] = async (by) => {
    const reply = await call("POST", "/sandbox/clock/advance", { body: by });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  const app: Omit<BorrowingApp, "lend"> = {
    ...testing,
    within,
    advance,
    async customer(environmentId = ownId) {
      people += 1;
      const onboarding = { person: personOf(people), answer: { outcome: "matched", phone: "fits" } } as const;
      const onboard = (tx: Tx) => onboardCustomer(tx, dependencies.sealer, onboarding);
      return (await within(onboard, environmentId)).customer.id;
    },
    async loan(customerId, { amount = "60000", tenor = 3, environmentId = ownId } = {}) {
      const terms = { amount: parseNaira(amount) ?? zeroKobo, tenor };
      return (await within((tx) => borrow(tx, dependencies, customerId, terms), environmentId)).id;
    },
    async link(customerId, outcome) {
      const made = await call("POST", `/loans/bnpl/customers/${customerId}/cards/link`, { body: {} });
      expect(made.statusCode, made.body).toBe(201);
      const { link_id: linkId } = made.json().data;
      const done = await call("POST", `/sandbox/card-links/${linkId}/complete`, { body: { outcome } });
      expect(done.statusCode, done.body).toBe(200);
      return linkId;
    },
    async consent(loanId) {
      const asked = await call("POST", `/loans/bnpl/loans/${loanId}/consent/request`);
      expect(asked.statusCode, asked.body).toBe(200);
      const given = await call("POST", `/loans/bnpl/loans/${loanId}/consent/verify`, { body: { otp: "123456" } });
      expect(given.statusCode, given.body).toBe(200);
    },
    heard: (resourceId) => heardBy(testing, ownId, resourceId),
    status: async (loanId) => {
      const find = (tx: Tx) => tx.selectFrom("checkout_loans").select("status").where("id", "=", loanId);
      return (await within((tx) => find(tx).executeTakeFirst()))?.status;
    },
  };
  return {
    ...app,
    async lend(outcome = "linked", terms = {}) {
      const customerId = await app.customer();
      await app.link(customerId, outcome);
      const loanId = await app.loan(customerId, terms);
      await app.consent(loanId);
      await advance({ seconds: 10 });
      expect(await app.status(loanId)).toBe("active");
      return { customerId, loanId };
    },
  };
}

const account = { bankCode: "058", bankAccountNo: "0123456789", bankName: "GTBank", accountName: "Mama Put Foods" };

function personOf(number: number) {
  return {
    firstName: "Adaeze",
    lastName: "Okafor",
    email: `adaeze${number}@example.com`,
    // A phone of one's own: people who share one share a limit.
    phone: `+234803${String(number).padStart(4, "0")}678`,
    bvn: `22${String(number).padStart(8, "0")}9`,
    nin: null,
    dateOfBirth: null,
    address: null,
    externalId: null,
  };
}

async function borrow(
  tx: Tx,
  { sealer }: Pick<TestApp["dependencies"], "sealer">,
  customerId: string,
  terms: Pick<LoanApplication, "amount" | "tenor">,
): Promise<CheckoutLoan> {
  const customer = await requireCustomer(tx, customerId, { lock: true });
  return requestLoan(tx, { loanMoved, sealer }, { ...terms, customer, account });
}
