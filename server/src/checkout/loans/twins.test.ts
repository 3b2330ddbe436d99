/** Many requests at once, on a running clock: a stopped one would let them in one after the other. */
import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodPerson } from "../../../testing/checkout/checkout.ts";
import { eventually } from "../../../testing/work.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import type { Tx } from "../../platform/database/database.ts";
import { insertCard } from "../cards/card-store.ts";
import { setDefaultCard } from "../customers/customer-store.ts";
import { onboardCustomer } from "../customers/onboard-customer.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { readPerson } from "../customers/read-person.ts";
import { loanMoved } from "../follow-loans.ts";
import { disburseCheckoutLoan } from "./disburse-checkout-loan.ts";
import { meetRequirements, meetRequirementsOf, noteConsent } from "./meet-requirements.ts";
import { lockCheckoutLoan, requireCheckoutLoan } from "./read-checkout-loan.ts";

const app = await createCheckoutApp({ frozen: false });
const { call, person, request, eligibility, heard, link, within, status } = app;
const deps = { loanMoved, sealer: app.dependencies.sealer };
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

const atOnce = <T>(times: number, work: (time: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, time) => work(time)));
const statusesOf = (replies: readonly { statusCode: number }[]) => replies.map((reply) => reply.statusCode).sort();

async function someoneWaits(): Promise<boolean> {
  const waiting = await app.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.rows.length > 0;
}

async function asked() {
  const customerId = await person();
  return { customerId, loanId: String((await request(customerId)).json().data.id) };
}

/** Paid out, as a worker would. */
async function lent(): Promise<string> {
  const { customerId, loanId } = await asked();
  await link(customerId, "linked");
  await app.consent(loanId);
  await within((tx) => disburseCheckoutLoan(tx, { rails: app.rails.rails }, loanId));
  for (const loop of app.tasks.loops) {
    await loop.step();
    await loop.drain?.();
  }
  expect(await status(loanId)).toBe("active");
  return loanId;
}

const printed = { last4: "4081", expMonth: 12, expYear: 2030, bank: null, fingerprint: null };
const linkedCard = { token: "t", brand: "visa", ...printed } as const;

describe("at once", () => {
  test("one BVN is one customer, and the list has no gap", async () => {
    const twin = readPerson({ ...goodPerson, bvn: freshBvn() });
    const onboarding = { person: twin, answer: { outcome: "matched", phone: "fits" } as const };
    const meet = (tx: Tx) => onboardCustomer(tx, app.dependencies.sealer, onboarding);
    const list = async () => (await call("GET", "/loans/bnpl/customers?limit=100")).json().data.length;
    const before = await list();
    const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = within(async (tx) => {
      const made = await meet(tx);
      written.resolve();
      await mayCommit.promise;
      return made;
    });
    await written.promise;
    const second = within(meet);
    await eventually("the second waits for the first", someoneWaits);
    mayCommit.resolve();
    const [one, other] = [await first, await second];
    expect([one.created, other.created, other.customer.id]).toEqual([true, false, one.customer.id]);
    expect(await list()).toBe(before + 1);
  });

  test("two loans never exceed the limit", async () => {
    const customerId = await person();
    const replies = await atOnce(6, () => request(customerId, { amount: 150_000 }));
    expect(statusesOf(replies)).toEqual([201, 422, 422, 422, 422, 422]);
    expect(await eligibility(customerId)).toMatchObject({ max_amount: 50_000 });
  });

  test("no more loans are open than the policy allows", async () => {
    const customerId = await person();
    const replies = await atOnce(6, () => request(customerId, { amount: 10_000 }));
    expect(statusesOf(replies)).toEqual([201, 201, 422, 422, 422, 422]);
  });

  test("one Idempotency-Key makes one loan", async () => {
    const customerId = await person();
    const headers = { "idempotency-key": `twins-${customerId}` };
    const replies = await atOnce(5, () => request(customerId, { amount: 10_000 }, headers));
    const made = replies.filter((reply) => reply.statusCode === 201).map((reply) => reply.json().data.id);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made).size).toBe(1);
    expect(await eligibility(customerId)).toMatchObject({ max_amount: 190_000 });
  });

  test("a loan is cancelled once", async () => {
    const { loanId } = await asked();
    const replies = await atOnce(5, () => call("POST", `/loans/bnpl/loans/${loanId}/cancel`));
    expect(statusesOf(replies)).toEqual([200, 409, 409, 409, 409]);
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.cancelled"]);
  });

  test("consent and card approve a loan once, whichever comes last", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { customerId, loanId } = await asked();
      const consent = within(async (tx) => {
        const { customer, loan } = await lockCheckoutLoan(tx, loanId);
        await meetRequirements(tx, deps, { customer, loan: await noteConsent(tx, loan) });
      });
      const card = within(async (tx) => {
        const customer = await requireCustomer(tx, customerId, { lock: true });
        const made = { customerId, phone: customer.phone, connectionId: null, id: tx.environment.clock.newId() };
        const cardId = await insertCard(tx, app.dependencies.sealer, { link: made, card: linkedCard });
        await meetRequirementsOf(tx, deps, await setDefaultCard(tx, customerId, cardId));
      });
      await Promise.all([consent, card]);
      expect(await status(loanId)).toBe("approved");
      expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.approved"]);
    }
  });

  test("a loan is either cancelled or approved", async () => {
    const { customerId, loanId } = await asked();
    await link(customerId, "linked");
    await within(async (tx) => noteConsent(tx, (await lockCheckoutLoan(tx, loanId)).loan));
    const [cancelled] = await Promise.all([
      call("POST", `/loans/bnpl/loans/${loanId}/cancel`),
      within(async (tx) => meetRequirements(tx, deps, await lockCheckoutLoan(tx, loanId))),
    ]);
    // An approved loan can still be cancelled: in either order the cancellation holds.
    expect([cancelled.statusCode, await status(loanId)]).toEqual([200, "cancelled"]);
  });

  test("a loan is cancelled while its customer is being decided about elsewhere", async () => {
    const { customerId, loanId } = await asked();
    const cancelled = await within(async (tx) => {
      await requireCustomer(tx, customerId, { lock: true });
      return call("POST", `/loans/bnpl/loans/${loanId}/cancel`);
    });
    expect([cancelled.statusCode, await status(loanId)]).toEqual([200, "cancelled"]);
  });

  test("a loan is paid out once", async () => {
    const { customerId, loanId } = await asked();
    await link(customerId, "linked");
    await app.consent(loanId);
    const pay = () => within((tx) => disburseCheckoutLoan(tx, { rails: app.rails.rails }, loanId));
    const tried = await Promise.allSettled(Array.from({ length: 5 }, pay));
    expect(tried.filter(({ status: outcome }) => outcome === "fulfilled")).toHaveLength(1);
    const { disbursements, accountId } = await within((tx) => requireCheckoutLoan(tx, loanId));
    const sent = await within((tx) =>
      tx.selectFrom("transfers").select("id").where("reference", "like", `${accountId}-%`).execute(),
    );
    expect([disbursements, sent.length]).toEqual([1, 1]);
  });

  test("a reference is one repayment and one refund", async () => {
    const loanId = await lent();
    const body = { amount: 12_000, reference: `twins-${loanId}` };
    const repaid = await atOnce(4, () =>
      call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body: { ...body, channel: "wallet" } }),
    );
    const refunded = await atOnce(4, () =>
      call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body: { ...body, reason: "Came back" } }),
    );
    expect([statusesOf(repaid), statusesOf(refunded)]).toEqual([
      [200, 200, 200, 201],
      [200, 200, 200, 201],
    ]);
    expect((await heard(loanId)).slice(3)).toEqual(["bnpl.loan.repayment.successful", "bnpl.loan.refunded"]);
    expect(await within(verifyLedger)).toEqual([]);
  });
});
