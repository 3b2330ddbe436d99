/** What a transaction has locked it hands on: nothing of a verification is read a second time. */
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";

// Connections keep the function that they had when they were opened, so this stands before the app.
const query = vi.spyOn(pg.Client.prototype, "query");
afterAll(() => query.mockRestore());
const app = await createBorrowingApp();
const { call } = app;

function textOf([asked]: readonly unknown[]): string {
  return typeof asked === "string"
    ? asked
    : String(asked && typeof asked === "object" && "text" in asked && asked.text);
}

test("answering a code reads the loan once in each of its two transactions, and locks the customer once", async () => {
  const loanId = await app.loan(await app.customer());
  expect((await call("POST", `/loans/bnpl/loans/${loanId}/consent/request`)).statusCode).toBe(200);
  query.mockClear();
  const reply = await call("POST", `/loans/bnpl/loans/${loanId}/consent/verify`, { body: { otp: "123456" } });
  expect(reply.json().data.status).toBe("pending_card");
  const statements = query.mock.calls.map(textOf);
  const matching = (pattern: RegExp) => statements.filter((text) => pattern.test(text)).length;
  expect({
    transactions: matching(/^begin/),
    loans: matching(/^\s*select .* from "checkout_loans"/s),
    customers: matching(/^\s*select .* from customers /s),
    plans: matching(/from loan_instalments/),
  }).toEqual({ transactions: 2, loans: 2, customers: 1, plans: 0 });
});
