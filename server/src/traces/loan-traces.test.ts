import { expect, test } from "vitest";
import { createBorrowingApp } from "../../testing/checkout/borrowers.ts";
import { application } from "../../testing/lending/loans.ts";

/** Requests are written down a moment later: two readings may differ by them. */
const app = await createBorrowingApp({ requestLogDays: 0 });
const { call, within } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

interface Traced {
  readonly kind: string;
  readonly steps: { kind: string; title: string; ids: Record<string, string>; ok: boolean }[];
}

async function trace(id: string): Promise<Traced> {
  const reply = await call("GET", `/traces/${id}`);
  expect(reply.statusCode).toBe(200);
  expect(reply.body).not.toMatch(/0123456789|22\d{8}9|12345678901|\+234803/);
  return reply.json().data;
}

const titles = ({ steps }: Traced) => steps.map(({ kind, title }) => `${kind}: ${title}`);

test("a loan tells its decision, the payment to the borrower and each repayment, by any of their ids", async () => {
  const { id } = (await call("POST", "/loans/create", { body: application })).json().data;
  await app.advance({ seconds: 5 });
  const body = { amount: 14_800, reference: "first", channel: "wallet" };
  const repayment = (await call("POST", `/loans/${id}/repayments`, { body })).json().data;
  await call("POST", `/loans/${id}/repayments/${repayment.id}/reverse`, { body: { reason: "Not received" } });
  const traced = await trace(id);
  expect(traced.kind).toBe("loan");
  expect(titles(traced)).toEqual(
    expect.arrayContaining([
      "state: Loan asked for",
      "event: Event loan.created",
      "decision: The loan is granted",
      "posting: Money moved: disbursement.held",
      "rail: Confirmed by the bank",
      "posting: Money moved: disbursement.completed",
      "state: Paid out",
      "event: Event loan.disbursed",
      "state: Repayment recorded",
      "posting: Money moved: loan.repayment",
      "state: Repayment reversed",
    ]),
  );
  expect(titles(traced)[0]).toBe("state: Loan asked for");
  const transfer = traced.steps.find(({ ids }) => ids["transfer"] !== undefined)?.ids["transfer"] ?? "";
  expect(await trace(transfer)).toEqual({ id: transfer, kind: "transfer", steps: traced.steps });
  expect(await trace(repayment.id)).toMatchObject({ kind: "repayment", steps: traced.steps });
});

test("a purchase on credit tells consent, the card and what was collected, by the id of a charge too", async () => {
  const { loanId } = await app.lend("linked");
  await app.advance({ days: 40 });
  const traced = await trace(loanId);
  expect(traced.kind).toBe("checkout_loan");
  expect(titles(traced)).toEqual(
    expect.arrayContaining([
      "state: Loan asked for",
      "rail: Code sent to the customer",
      "check: The customer consented with the code",
      "decision: The loan is granted",
      "rail: Asked to charge the card",
      "rail: Done: charge the card",
      "state: Repayment recorded",
      "event: Event bnpl.loan.repayment.successful",
    ]),
  );
  const { id: chargeId } = await within((tx) =>
    tx.selectFrom("card_charges").select("id").where("loan_id", "=", loanId).limit(1).executeTakeFirstOrThrow(),
  );
  expect(await trace(chargeId)).toMatchObject({ kind: "charge", steps: traced.steps });
});

test("a card that is refused says why, and a link has a story of its own", async () => {
  const customerId = await app.customer();
  const linkId = await app.link(customerId, "declined");
  const traced = await trace(linkId);
  expect(traced.kind).toBe("card_link");
  expect(titles(traced)).toEqual([
    "state: Card link opened",
    "state: Card link declined",
    "event: Event customer.card.link.failed",
  ]);
  expect(traced.steps[1]?.ok).toBe(false);
});

test("money that came in is traced by its movement", async () => {
  const { id } = await within((tx) =>
    tx.selectFrom("wallet_movements").select("id").limit(1).executeTakeFirstOrThrow(),
  );
  const traced = await trace(id);
  expect(traced.kind).toBe("wallet_movement");
  expect(titles(traced)).toEqual(
    expect.arrayContaining(["state: Funded by the sandbox", "posting: Money moved: wallet.funded"]),
  );
});
