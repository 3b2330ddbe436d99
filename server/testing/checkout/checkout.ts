/** The checkout as a merchant sees it: customers and loans by the public API. */
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import { type BorrowingApp, createBorrowingApp } from "./borrowers.ts";

export interface CheckoutApp extends BorrowingApp {
  /** Sends a customer that nothing is wrong with, unless told otherwise. */
  onboard(changes?: Readonly<Record<string, unknown>>, key?: string): Promise<LightMyRequestResponse>;
  /** A customer by the API; returns the id. */
  person(changes?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Asks for a loan by the API. */
  request(
    customerId: string,
    changes?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
  /** What GET shows of a loan. */
  read(loanId: string): Promise<Record<string, unknown>>;
  eligibility(customerId: string): Promise<Record<string, unknown>>;
}

export const unknownId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

let people = 0;

/** Eleven digits that nobody else has. */
export function freshBvn(ending = "1"): string {
  people += 1;
  return `33${String(people).padStart(9 - ending.length, "0")}${ending}`;
}

export const goodPerson = {
  first_name: "Adaeze",
  last_name: "Okafor",
  email: "adaeze@example.com",
  phone: "0803 123 4567",
} as const;

/** A phone of one's own for each BVN, the same every time: people who share one share a limit. */
export function phoneOf(bvn: string): string {
  return `0803 ${bvn.slice(6, 10).padStart(4, "0")} 567`;
}

export const goodLoan = { amount: 60_000, tenor: 3, bank_account_no: "0123456789", bank_code: "058" } as const;

function personWith(changes: Readonly<Record<string, unknown>>) {
  const bvn = "bvn" in changes ? changes["bvn"] : freshBvn();
  return { ...goodPerson, phone: phoneOf(String(bvn)), ...changes, bvn };
}

export async function createCheckoutApp(options: { frozen?: boolean } = {}): Promise<CheckoutApp> {
  const borrowing = await createBorrowingApp(options);
  const { call, merchant } = borrowing;
  const onboard: CheckoutApp["onboard"] = (changes = {}, key = merchant.secretKey) =>
    call("POST", "/loans/bnpl/customers", { body: personWith(changes), key });
  return {
    ...borrowing,
    onboard,
    async person(changes) {
      const reply = await onboard(changes);
      expect(reply.statusCode, reply.body).toBe(201);
      return reply.json().data.id;
    },
    request: (customerId, changes = {}, headers = {}) =>
      call("POST", `/loans/bnpl/customers/${customerId}/loans`, { body: { ...goodLoan, ...changes }, headers }),
    read: async (loanId) => readData(await call("GET", `/loans/bnpl/loans/${loanId}`)),
    eligibility: async (customerId) => readData(await call("GET", `/loans/bnpl/customers/${customerId}/eligibility`)),
  };
}

function readData(reply: LightMyRequestResponse): Record<string, unknown> {
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
}
