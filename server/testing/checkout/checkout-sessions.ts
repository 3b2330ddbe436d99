/** Hosted checkouts as a merchant's server opens them and a customer's browser walks through them. */
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import type { CardLinkView } from "../../src/checkout/card-page/routes.ts";
import type { CheckoutView } from "../../src/checkout/sessions/hosted-schemas.ts";
import type { PresentedSession } from "../../src/checkout/sessions/schemas.ts";
import { type BorrowingApp, createBorrowingApp } from "./borrowers.ts";

/** What a browser has of a page: the token after the # of its address. */
export interface Browser {
  readonly token: string;
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
}

export interface CheckoutPage extends Browser {
  view(): Promise<CheckoutView>;
  /** Does what must succeed and returns what the page shows then. */
  act(action: string, body?: unknown): Promise<CheckoutView>;
}

export interface CardPage extends Browser {
  view(): Promise<CardLinkView>;
  /** Puts a test card into the vault and returns its token. */
  vault(number: string): Promise<string>;
  /** Vault and link in one. */
  pay(number: string): Promise<LightMyRequestResponse>;
}

export interface CheckoutApp extends BorrowingApp {
  /** Everything that a session takes, for a new customer unless one is named. */
  order(changes?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  open(changes?: Readonly<Record<string, unknown>>): Promise<PresentedSession>;
  read(id: string): Promise<PresentedSession>;
  /** The page behind an address. */
  browse(url: string | null): CheckoutPage;
  browseCard(url: string): CardPage;
  /** From the page's card step to its card page. */
  toCardPage(page: CheckoutPage): Promise<CardPage>;
}

export const goodCard = "4084084084084081";
export const refusedCard = "4084080000005408";

let orders = 0;

export async function createCheckoutApp(options: { frozen?: boolean } = {}): Promise<CheckoutApp> {
  const borrowing = await createBorrowingApp(options);
  const { app, call, customer } = borrowing;
  const order: CheckoutApp["order"] = async (changes = {}) => {
    orders += 1;
    const content = orderOf(orders);
    const buyer = "customer" in changes || "customer_id" in changes ? {} : { customer_id: await customer() };
    return { ...buyer, ...content, ...changes };
  };
  const browse = (url: string | null): CheckoutPage => {
    const browser = browserOf(app, url ?? "");
    return {
      ...browser,
      view: async () => dataOf<CheckoutView>(await browser.send("GET", "/hosted/checkout")),
      async act(action, body) {
        const ticked = action === "consent/request" ? await agreementOf(browser) : body;
        return dataOf(await browser.send("POST", `/hosted/checkout/${action}`, ticked));
      },
    };
  };
  const browseCard = (url: string): CardPage => cardPageOf(browserOf(app, url));
  return {
    ...borrowing,
    order,
    browse,
    browseCard,
    async open(changes) {
      const reply = await call("POST", "/loans/bnpl/checkout-sessions", { body: await order(changes) });
      expect(reply.statusCode, reply.body).toBe(201);
      return reply.json().data;
    },
    read: async (id) => dataOf(await call("GET", `/loans/bnpl/checkout-sessions/${id}`)),
    async toCardPage(page) {
      const { url } = dataOf<{ url: string }>(await page.send("POST", "/hosted/checkout/card-link"));
      return browseCard(url);
    },
  };
}

/** What the page sends once the customer has ticked the box. */
export async function agreementOf(browser: Browser) {
  const { agreement } = dataOf<CheckoutView>(await browser.send("GET", "/hosted/checkout"));
  return { agreed: true, termsHash: agreement?.termsHash };
}

function orderOf(number: number) {
  return {
    amount: 60_000,
    bank_account_no: "0123456789",
    bank_code: "058",
    order_reference: `order-${number}`,
    success_url: "https://shop.example.com/thanks?order=7",
    cancel_url: "http://localhost:3000/basket",
  };
}

export function browserOf(app: BorrowingApp["app"], url: string): Browser {
  const token = url.split("#")[1] ?? "";
  return {
    token,
    send: (method, path, body, headers = {}) =>
      app.inject({
        method: method as "GET",
        url: path,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      }),
  };
}

function cardPageOf(browser: Browser): CardPage {
  const vault = async (number: string): Promise<string> => {
    const body = { number, expMonth: 12, expYear: 2030, cvv: "123" };
    const reply = await browser.send("POST", "/hosted/card-vault/tokens", body);
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json().data.token;
  };
  return {
    ...browser,
    vault,
    view: async () => dataOf<CardLinkView>(await browser.send("GET", "/hosted/card-link")),
    pay: async (number) => browser.send("POST", "/hosted/card-link/card", { cardToken: await vault(number) }),
  };
}

function dataOf<Data>(reply: LightMyRequestResponse): Data {
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
}
