/** Refunds of one loan's credit that meet, on a running clock: a stopped one would let them in one after the other. */
import { expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";
import { eventually } from "../../../testing/work.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { verifyLending } from "../../lending/verify-lending.ts";
import { disburseCheckoutLoan } from "../loans/disburse-checkout-loan.ts";

const app = await createCheckoutApp({ frozen: false });
const { call, within, read } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

let made = 0;
const fresh = () => {
  made += 1;
  return `twin-${made}`;
};
const post = (loanId: string, path: string, body: Readonly<Record<string, unknown>>) =>
  call("POST", `/loans/bnpl/loans/${loanId}/${path}`, { body: { reference: fresh(), ...body } });
const give = (loanId: string, body: Readonly<Record<string, unknown>> = {}) =>
  post(loanId, "credit/refund", { amount: 10_000, channel: "card", ...body });

/** Paid out as a worker would, repaid by card and in cash, with 15,000 of credit. */
async function credited(): Promise<string> {
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  await within((tx) => disburseCheckoutLoan(tx, { rails: app.rails.rails }, loanId));
  for (const loop of app.tasks.loops) {
    await loop.step();
    await loop.drain?.();
  }
  expect(await app.status(loanId)).toBe("active");
  await post(loanId, "repayments", { amount: 30_000, channel: "cash" });
  await post(loanId, "repayments", { amount: 34_450, channel: "card" });
  // Leaves 46,000 of the loan, and 3,450 of interest.
  await post(loanId, "refund", { amount: 14_000, reason: "Returned" });
  expect(await read(loanId)).toMatchObject({ credit: 15_000 });
  return loanId;
}

const statusesOf = (replies: readonly { statusCode: number }[]) => replies.map((reply) => reply.statusCode).sort();

test("one reference is one refund, however often it is asked for at once", async () => {
  const loanId = await credited();
  const reference = fresh();
  const replies = await Promise.all(Array.from({ length: 6 }, () => give(loanId, { reference, amount: 2_000 })));
  // A request that comes while the network is being asked is told so; a later one finds it done.
  expect(statusesOf(replies).filter((status) => status === 201)).toHaveLength(1);
  for (const { statusCode } of replies) expect([200, 201, 202]).toContain(statusCode);
  expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
  await eventually("the refund is booked", async () => (await read(loanId))["credit"] === 13_000);
});

test("refunds at once never give back more than the credit, whatever their channels", async () => {
  const loanId = await credited();
  const channels = ["card", "cash", "card", "cash", "card", "cash"];
  const replies = await Promise.all(channels.map((channel) => give(loanId, { channel })));
  expect(statusesOf(replies)).toEqual([201, 422, 422, 422, 422, 422]);
  expect(await read(loanId)).toMatchObject({ credit: 5_000 });
  expect(await within(verifyLedger)).toEqual([]);
  expect(await within(verifyLending)).toEqual([]);
});

test("of two channels that take one reference at once the later is refused", async () => {
  const loanId = await credited();
  const reference = fresh();
  const replies = await Promise.all(
    ["card", "cash"].map((channel) => give(loanId, { channel, reference, amount: 100 })),
  );
  expect(statusesOf(replies)).toEqual([201, 409]);
  const refused = replies.find(({ statusCode }) => statusCode === 409);
  expect(refused?.json()).toMatchObject({ code: "reference_conflict", data: { fields: ["channel"] } });
});
