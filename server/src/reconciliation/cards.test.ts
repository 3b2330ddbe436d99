/** Card charges, refunds and the first charges of links, held against Paystack's lists. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createBorrowingApp } from "../../testing/checkout/borrowers.ts";
import { kindsOf } from "../../testing/providers/compared-days.ts";
import { startPaystackTwin } from "../../testing/providers/paystack-twin.ts";
import { createCardBooks, type TwinTransaction } from "../../testing/providers/paystack-twin-card-books.ts";
import { paystackCards } from "../../testing/providers/paystack-twin-cards.ts";
import type { ShownRun } from "../../testing/providers/reconciled-app.ts";
import { silentLog } from "../../testing/work.ts";
import { chargeCard } from "../checkout/cards/charge-card.ts";
import { createCardLink } from "../checkout/cards/create-card-link.ts";
import { refundToCard } from "../checkout/cards/refund-to-card.ts";
import { startCardLink } from "../checkout/cards/start-card-link.ts";
import { takeCardHint } from "../checkout/cards/take-card-hint.ts";
import { loanMoved } from "../checkout/follow-loans.ts";
import { announceCheckoutLoan } from "../checkout/loans/announce-checkout-loan.ts";
import { parseNaira, zeroKobo } from "../money/kobo.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import type { CardRail } from "../rails/card.ts";

const app = await createBorrowingApp();
const environmentId = app.merchant.environment.id;
const { simulatedCard } = app.rails;
await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });

const books = createCardBooks();
const credentials = { secretKey: "sk_test_twin" };
const twin = await startPaystackTwin(0, { ...credentials, parts: [paystackCards(books)] });
const wanted = { provider: "paystack", name: "Cards", mode: "test", ports: ["card"], baseUrl: twin.url, credentials };
const connectionId: string = (await app.operate("POST", "/operator/connections", wanted)).json().data.id;

// The simulated network does the work; what Paystack would have of it is written into the twin's books.
const rail: CardRail = { ...simulatedCard.rail, tokenizePath: () => null };
const card = { find: async () => ({ connectionId, rail }), bound: async () => rail, plain: async () => null };
const deps = {
  db: app.db,
  sealer: app.dependencies.sealer,
  rails: { card },
  log: silentLog,
  announce: announceCheckoutLoan({ loanMoved }),
  loanMoved,
  publicUrl: "http://localhost:4000",
};
const naira = (text: string) => parseNaira(text) ?? zeroKobo;
const now = await app.within(async (tx) => tx.environment.clock.now());
const date = String(lagosDate(now));

const transaction = (reference: string, amount: number, changes: Partial<TwinTransaction> = {}): TwinTransaction => ({
  id: twin.account.nextId(),
  reference,
  email: "ada@example.com",
  requestedAmount: amount,
  amount,
  status: "success",
  authorization: null,
  gatewayResponse: "Approved",
  callbackUrl: null,
  createdAt: now,
  takings: 1,
  ...changes,
});
function keep(made: TwinTransaction): TwinTransaction {
  books.transactions.set(made.reference, made);
  return made;
}
function keepRefund(transactionId: number, amount: number, note: string | null): void {
  books.refunds.push({ id: twin.account.nextId(), transactionId, amount, note, createdAt: now, status: "processed" });
}

/** A card that was linked on the processor's page, with NGN 50 that went back. */
async function lent(): Promise<string> {
  const customerId = await app.customer();
  const { id: linkId } = await app.within((tx) => createCardLink(tx, deps, { customerId, callbackUrl: null }));
  const attemptId = (await startCardLink(deps, { environmentId, linkId }))?.split("/").at(-1) ?? "";
  await simulatedCard.bankPage.decide({ sandbox: environmentId, collection: "links", id: attemptId }, "linked");
  await takeCardHint(deps, { connectionId, orderId: attemptId });
  keepRefund(keep(transaction(attemptId, 5_000, { status: "reversed" })).id, 5_000, `link-${attemptId}`);
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  await app.advance({ seconds: 10 });
  return loanId;
}

async function charged(loanId: string) {
  const order = { environmentId, loanId, amount: naira("20000"), reference: randomUUID() };
  const { charge } = await chargeCard(deps, order);
  return { charge, theirs: keep(transaction(charge.id, 2_000_000)) };
}

const first = await charged(await lent());
const other = await lent();
const second = await charged(other);
await app.call("POST", `/loans/bnpl/loans/${other}/refund`, {
  body: { amount: 60_000, reason: "Returned", reference: "back" },
});
const { refund } = await refundToCard(deps, { environmentId, loanId: other, amount: naira("20000"), reference: "r" });
// As Paystack has it: what was wholly refunded is called reversed.
second.theirs.status = "reversed";
keepRefund(second.theirs.id, 2_000_000, refund.id);

async function compare(): Promise<ShownRun> {
  const reply = await app.operate("POST", "/operator/reconciliations", { connectionId, date });
  expect(reply.statusCode, reply.body).toBe(201);
  await app.tasks.loops.find(({ name }) => name === "reconciliations")?.step();
  return (await app.operate("GET", `/operator/reconciliations/${reply.json().data.id}`)).json().data;
}

beforeEach(() => {
  twin.behave();
  books.listed.behave();
  books.listedRefunds.behave();
});

test("a day of charges, refunds and links is clean when all books agree", async () => {
  const run = await compare();
  expect(run).toMatchObject({ state: "clean", counts: { orders: 7, records: 7, agreed: 7 } });
  expect(run.totals).toMatchObject([
    { kind: "charge", orders: 40_000, ledger: 40_000, provider: 40_000 },
    { kind: "refund", orders: 20_000, ledger: 20_000, provider: 20_000 },
  ]);
});

test.each([
  ["the charge is not on the list", "missing_at_provider", () => books.listed.lose(first.charge.id)],
  [
    "the charge has another amount",
    "amount_differs",
    () => books.listed.change(first.charge.id, { requestedAmount: 1 }),
  ],
  ["the charge failed there", "status_differs", () => books.listed.change(first.charge.id, { status: "failed" })],
  ["the charge was taken back", "status_differs", () => books.listed.change(first.charge.id, { status: "reversed" })],
  ["the refund is not on the list", "missing_at_provider", () => books.listedRefunds.lose(refund.id)],
  ["the refund has another amount", "amount_differs", () => books.listedRefunds.change(refund.id, { amount: 1 })],
  ["the refund failed there", "status_differs", () => books.listedRefunds.change(refund.id, { status: "failed" })],
  ["somebody charged a card", "missing_with_us", () => books.listed.add(transaction("a-stranger", 700_000))],
  [
    "somebody refunded a charge in the dashboard",
    "missing_with_us",
    () =>
      books.listedRefunds.add({
        id: 77,
        transactionId: first.theirs.id,
        amount: 100,
        note: null,
        createdAt: now,
        status: "processed",
      }),
  ],
] as const)("%s: %s", async (_, kind, plant) => {
  plant();
  expect(kindsOf(await compare())).toEqual([kind]);
});

test.each([
  ["a page that a stranger left", () => books.listed.add(transaction("left", 5_000, { status: "abandoned" }))],
  ["a record that stands on the list twice", () => books.listed.repeat(first.charge.id)],
  ["a fee that the holder paid", () => books.listed.change(first.charge.id, { amount: 2_030_000 })],
])("%s is no exception", async (_, plant) => {
  plant();
  expect(await compare()).toMatchObject({ state: "clean" });
});

test.each(["GET /transaction", "GET /refund"])("a list that breaks off (%s) gives a failed run", async (route) => {
  twin.misbehave(["cut_json"], route);
  const run = await compare();
  expect(run).toMatchObject({ state: "failed", failure: { code: "provider_unreadable" } });
});

test("a charge that the bank took back is taken back on both sides", async () => {
  await simulatedCard.decideCharge(environmentId, first.charge.id, "take_back");
  await takeCardHint(deps, { connectionId, orderId: first.charge.id });
  expect(kindsOf(await compare())).toEqual(["status_differs"]);
  books.listed.change(first.charge.id, { status: "reversed" });
  const run = await compare();
  expect(run).toMatchObject({ state: "clean" });
  expect(run.totals[0]).toMatchObject({ orders: 20_000, ledger: 20_000, provider: 20_000 });
});
