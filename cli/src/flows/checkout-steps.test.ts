/** Purchases on credit, step by step: with the integrator's own pages, and on Jara's. */
import type { CheckoutSession } from "@jara/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openSandbox, type Replies } from "../../testing/sandbox-play.ts";
import {
  borrow,
  borrowTooMuch,
  buy,
  letPurchaseFallOverdue,
  linkCard,
  onboard,
  openSession,
  overpay,
  refundPart,
  repayAll,
  walkSession,
} from "./checkout-steps.ts";
import { personOf } from "./people.ts";

const customer = "/loans/bnpl/customers/c-1";
const loan = "/loans/bnpl/loans/p-1";
const shop: Replies = {
  "POST /loans/bnpl/customers": () => ({ id: "c-1" }),
  [`GET ${customer}/eligibility`]: () => ({ eligible: true, tenors: [{ tenor: 2 }, { tenor: 3 }] }),
  [`POST ${customer}/loans`]: () => ({ id: "p-1" }),
  [`POST ${customer}/cards/link`]: () => ({ link_id: "k-1", url: "http://jara.test/cards/k-1" }),
  "POST /sandbox/card-links/k-1/complete": () => ({}),
  [`POST ${loan}/consent/`]: () => ({}),
  [`GET ${loan}`]: () => ({ id: "p-1", status: "active", balance: 4_100.1, next_due_date: null }),
  [`POST ${loan}/repayments`]: () => ({ id: "r-1" }),
  [`POST ${loan}/refund`]: () => ({}),
  [`POST ${loan}/credit/refund`]: () => ({}),
};

test("a customer is onboarded without a bank account or a NIN: a checkout asks for neither", async () => {
  const { playing, sent } = await openSandbox(shop);
  const { firstName, lastName, email, phone, bvn } = personOf("demo");
  expect(await onboard(playing, personOf("demo"))).toBe("c-1");
  expect(sent.at(-1)?.body).toEqual({ first_name: firstName, last_name: lastName, email, phone, bvn });
});

test.each(["linked", "declined", "declines_later"] as const)("a card can be %s", async (outcome) => {
  const { playing, sent } = await openSandbox(shop);
  await linkCard(playing, "c-1", outcome);
  expect(sent.at(-1)).toEqual({ line: "POST /sandbox/card-links/k-1/complete", body: { outcome } });
});

test.each([
  ["for as short as the customer may", [{ tenor: 2 }, { tenor: 3 }], 2],
  ["for a month where no term is offered: the server says why not", [], 1],
])("credit is asked for %s", async (_case, tenors, tenor) => {
  const { playing, sent } = await openSandbox({
    ...shop,
    [`GET ${customer}/eligibility`]: () => ({ eligible: tenors.length > 0, tenors }),
  });
  expect(await borrow(playing, "c-1", 7_500)).toEqual({ customerId: "c-1", id: "p-1" });
  expect(sent.at(-1)?.body).toEqual({ bank_account_no: "0123456789", bank_code: "058", amount: 7_500, tenor });
});

test("to buy is to agree by the sandbox's code, to link a card, and to wait for the money", async () => {
  const { playing, sent, lines } = await openSandbox(shop);
  expect(await buy(playing, { customerId: "c-1", id: "p-1" })).toMatchObject({ status: "active" });
  expect(lines()).toEqual([
    `POST ${loan}/consent/request`,
    `POST ${loan}/consent/verify`,
    `POST ${customer}/cards/link`,
    "POST /sandbox/card-links/k-1/complete",
    `GET ${loan}`,
  ]);
  expect(sent.find(({ line }) => line.endsWith("/consent/verify"))?.body).toEqual({ otp: "123456" });
});

describe("what comes after", () => {
  test.each([
    [4_100.1, 4_100.1],
    [0.29, 0.29],
    [8.29, 8.29],
    [1_234_567.89, 1_234_567.89],
  ])("all of a balance of %d is paid", async (balance, amount) => {
    const { playing, sent } = await openSandbox({ ...shop, [`GET ${loan}`]: () => ({ id: "p-1", balance }) });
    await repayAll(playing, "p-1");
    expect(sent.at(-1)?.body).toEqual({ amount, channel: "bank_transfer", reference: "m-p-1-all" });
  });

  test("a customer who pays too much gets exactly that back", async () => {
    const { playing, sent } = await openSandbox(shop);
    await overpay(playing, "p-1");
    const [paid, back] = sent.slice(-2);
    expect(paid?.body).toMatchObject({ amount: 4_200.1 });
    expect(back).toEqual({
      line: `POST ${loan}/credit/refund`,
      body: { amount: 100, channel: "bank_transfer", reference: "m-p-1-credit" },
    });
  });

  test("one item comes back, with a reason and a reference of its own", async () => {
    const { playing, sent } = await openSandbox(shop);
    await refundPart(playing, "p-1");
    expect(sent.at(-1)?.body).toEqual({ amount: 1_000, reason: "One item came back", reference: "m-p-1-refund" });
  });

  test("a purchase that nothing is due of moves no clock", async () => {
    const { playing, moves } = await openSandbox(shop);
    await letPurchaseFallOverdue(playing, "p-1");
    expect(moves()).toEqual([]);
  });
});

test("who borrows up to the limit elsewhere does so after the question and before the consent", async () => {
  const { playing, lines } = await openSandbox({
    ...shop,
    "POST /loans/create": () => ({ id: "l-1" }),
    "POST /sandbox/loans/l-1/approve": () => ({}),
  });
  expect(await borrowTooMuch(playing, personOf("demo"))).toBe("p-1");
  const order = lines();
  const asked = order.indexOf(`POST ${customer}/loans`);
  const elsewhere = order.indexOf("POST /sandbox/loans/l-1/approve");
  const agreed = order.indexOf(`POST ${loan}/consent/verify`);
  expect(asked).toBeGreaterThan(-1);
  expect(elsewhere).toBeGreaterThan(asked);
  expect(agreed).toBeGreaterThan(elsewhere);
});

describe("on Jara's pages", () => {
  const session = { id: "s-1", url: "https://pay.example.com/checkout/s-1#secret" } as CheckoutSession;

  /** The pages are asked by the global fetch, as in a browser. */
  function hostedPages(step: string) {
    const seen: { readonly line: string; readonly token: string | null }[] = [];
    const replies: Readonly<Record<string, unknown>> = {
      "GET /hosted/checkout": { offers: [{ tenor: 3 }, { tenor: 1 }] },
      "POST /hosted/checkout/terms": { agreement: { termsHash: "h-1" } },
      "POST /hosted/checkout/consent/verify": { step },
      "POST /hosted/checkout/card-link": { url: "https://pay.example.com/cards/k-1#token" },
    };
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const line = `${init.method} ${url.replace("http://jara.test", "")}`;
      seen.push({ line, token: new Headers(init.headers).get("authorization") });
      return Response.json({ status: true, data: replies[line] ?? {} });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    return seen;
  }
  const ended: Replies = { "GET /loans/bnpl/checkout-sessions/s-1": () => ({ id: "s-1", status: "completed" }) };

  test("a session is opened for one thing, with somewhere to go afterwards", async () => {
    const { playing, sent } = await openSandbox({ "POST /loans/bnpl/checkout-sessions": () => session });
    expect(await openSession(playing, "c-1", "order-1")).toMatchObject({ id: "s-1" });
    const body = sent.at(-1)?.body as { readonly amount: number; readonly items: readonly { amount: number }[] };
    expect(body).toMatchObject({ customer_id: "c-1", order_reference: "order-1" });
    expect(body.items.reduce((sum, { amount }) => sum + amount, 0)).toBe(body.amount);
  });

  test("a customer chooses the first plan, agrees, and links a card where one is wanted", async () => {
    const seen = hostedPages("card");
    const { playing, lines } = await openSandbox({ ...shop, ...ended });
    await walkSession(playing, session);
    expect(lines()).toEqual(["POST /sandbox/card-links/k-1/complete", "GET /loans/bnpl/checkout-sessions/s-1"]);
    expect(seen.map(({ line }) => line)).toEqual([
      "GET /hosted/checkout",
      "POST /hosted/checkout/terms",
      "POST /hosted/checkout/consent/request",
      "POST /hosted/checkout/consent/verify",
      "POST /hosted/checkout/card-link",
    ]);
    // Asked where the API is, whatever address customers see; with the session's own token.
    expect(new Set(seen.map(({ token }) => token))).toEqual(new Set(["Bearer secret"]));
  });

  test("a customer whose card is known types none", async () => {
    hostedPages("processing");
    const { playing, lines } = await openSandbox({ ...shop, ...ended });
    await walkSession(playing, session);
    expect(lines()).toEqual(["GET /loans/bnpl/checkout-sessions/s-1"]);
  });
});
