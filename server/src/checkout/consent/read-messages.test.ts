import { expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";

// No worker runs here: what a message has to wait for is the call that causes it, and nothing else.
const { call, person, request } = await createCheckoutApp();

test("a code is among the sandbox's messages when the call that sent it has returned, once", async () => {
  const customerId = await person();
  const loan = (await request(customerId)).json().data;
  const asked = await call("POST", `/loans/bnpl/loans/${loan.id}/consent/request`);
  expect(asked.statusCode, asked.body).toBe(200);
  const read = async () => (await call("GET", "/sandbox/messages")).json().data;
  expect(await read()).toMatchObject([{ text: expect.stringMatching(/^\d{6} is your code/) }]);
  expect(await Promise.all([read(), read()])).toMatchObject([{ length: 1 }, { length: 1 }]);
});
