/** Plans' pages as a customer's browser opens them. */
import { randomUUID } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import type { DoorView, PlanView } from "../../src/checkout/plans/plan-schemas.ts";
import { type BorrowingApp, createBorrowingApp, type Lent } from "./borrowers.ts";
import { type Browser, browserOf } from "./checkout-sessions.ts";

export interface Door extends Browser {
  view(): Promise<DoorView>;
  ask(): Promise<LightMyRequestResponse>;
  answer(otp: string): Promise<LightMyRequestResponse>;
}

export interface Visit extends Browser {
  view(): Promise<PlanView>;
  /** For the balance that is shown, unless told otherwise. */
  pay(amount: number, changes?: { readonly owed?: number; readonly press?: string }): Promise<LightMyRequestResponse>;
}

/** What an app can do with plans' pages. */
export interface Plans {
  /** The address of a loan's page, from the merchant's endpoint. */
  address(loanId: string): Promise<string>;
  door(url: string): Door;
  /** Somebody who has read the code on the phone. */
  enter(url: string): Promise<Visit>;
  /** A loan that is out, and the customer at its page. */
  visit(outcome?: Parameters<BorrowingApp["lend"]>[0]): Promise<Lent & { readonly url: string; readonly visit: Visit }>;
  /** Texts to a telephone, newest first. */
  texts(customerId: string): Promise<string[]>;
}

export type PlanApp = BorrowingApp & Plans;

export async function createPlanApp(options: { frozen?: boolean } = {}): Promise<PlanApp> {
  return withPlans(await createBorrowingApp(options));
}

/** The same app, whose loans' pages can be opened too. */
export function withPlans<App extends BorrowingApp>(borrowing: App): App & Plans {
  const { app, call, lend } = borrowing;
  const door = (url: string): Door => {
    const browser = browserOf(app, url);
    return {
      ...browser,
      view: async () => dataOf<DoorView>(await browser.send("GET", "/hosted/plan")),
      ask: () => browser.send("POST", "/hosted/plan/code"),
      answer: (otp) => browser.send("POST", "/hosted/plan/enter", { otp }),
    };
  };
  const enter = async (url: string): Promise<Visit> => {
    const at = door(url);
    dataOf(await at.ask());
    const { visitToken } = dataOf<{ visitToken: string }>(await at.answer("123456"));
    return visitOf(browserOf(app, `#${visitToken}`));
  };
  const address = async (loanId: string): Promise<string> => {
    const reply = await call("POST", `/loans/bnpl/loans/${loanId}/page`, { body: {} });
    expect([200, 201], reply.body).toContain(reply.statusCode);
    return reply.json().data.url;
  };
  return {
    ...borrowing,
    door,
    enter,
    address,
    async visit(outcome) {
      const lent = await lend(outcome);
      const url = await address(lent.loanId);
      return { ...lent, url, visit: await enter(url) };
    },
    async texts(customerId) {
      const { phone } = (await call("GET", `/loans/bnpl/customers/${customerId}`)).json().data;
      const reply = await call("GET", `/sandbox/messages?to=${encodeURIComponent(phone)}&limit=100`);
      return reply.json().data.map(({ text }: { text: string }) => text);
    },
  };
}

function visitOf(browser: Browser): Visit {
  const view = async (): Promise<PlanView> => dataOf(await browser.send("GET", "/hosted/plan/visit"));
  return {
    ...browser,
    view,
    async pay(amount, { owed, press = randomUUID() } = {}) {
      const body = { amount, owed: owed ?? (await view()).balance, press };
      return browser.send("POST", "/hosted/plan/visit/pay", body);
    },
  };
}

function dataOf<Data>(reply: LightMyRequestResponse): Data {
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
}
