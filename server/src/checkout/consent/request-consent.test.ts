import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";

const app = await createBorrowingApp();
const { call, advance } = app;
const request = (loanId: string, options = {}) => call("POST", `/loans/bnpl/loans/${loanId}/consent/request`, options);
const waiting = async () => app.loan(await app.customer());

test("a code is sent to the customer's phone, which is shown masked, with the terms in the text", async () => {
  const loanId = await waiting();
  const reply = await request(loanId);
  expect(reply.statusCode).toBe(200);
  const { data } = reply.json();
  expect(data).toMatchObject({
    loan_id: loanId,
    consent_status: "pending_consent",
    channel: "sms",
    destination: "0803****678",
  });
  expect(Date.parse(data.expires_at) - Date.parse(data.resend_after)).toBe(9 * 60_000);
  const [message] = (await call("GET", "/sandbox/messages")).json().data;
  expect(message.to).toMatch(/^\+234803\d{4}678$/);
  expect(message.text).toMatch(
    /^123456 is your code .* NGN 60000\.00 at Mama Put Foods: 3 monthly payments of NGN 21500/,
  );
});

test("another is refused for a minute, then sent, and the earlier one stops counting", async () => {
  const loanId = await waiting();
  await request(loanId);
  await advance({ seconds: 59 });
  const early = await request(loanId);
  expect(early.statusCode).toBe(429);
  expect(early.json().code).toBe("otp_resend_too_early");
  expect(early.headers["retry-after"]).toBe("1");
  await advance({ seconds: 1 });
  expect((await request(loanId)).statusCode).toBe(200);
  const codes = await app.within((tx) =>
    tx.selectFrom("consent_codes").select("status").where("loan_id", "=", loanId).orderBy("sent_at").execute(),
  );
  expect(codes.map(({ status }) => status)).toEqual(["replaced", "live"]);
});

test("a loan gets three codes within ten minutes", async () => {
  const loanId = await waiting();
  for (let sent = 0; sent < 3; sent += 1) {
    expect((await request(loanId)).statusCode).toBe(200);
    await advance({ seconds: 60 });
  }
  const refused = await request(loanId);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().code).toBe("otp_limit_reached");
  // The first was sent three minutes ago.
  expect(refused.headers["retry-after"]).toBe("420");
  await advance({ seconds: 419 });
  expect((await request(loanId)).json().code).toBe("otp_limit_reached");
  await advance({ seconds: 1 });
  expect((await request(loanId)).statusCode).toBe(200);
});

test("a customer gets ten codes on a day in Lagos, over all loans", async () => {
  const customerId = await app.customer();
  const loans = [
    await app.loan(customerId, { amount: "20000" }),
    await app.loan(customerId, { amount: "20000" }),
  ] as const;
  for (let sent = 0; sent < 10; sent += 1) {
    await advance({ seconds: 300 });
    expect((await request(loans[sent % 2 === 0 ? 0 : 1])).statusCode).toBe(200);
  }
  await advance({ seconds: 3_600 });
  const refused = await request(loans[0]);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().code).toBe("otp_limit_reached");
  await advance({ seconds: Number(refused.headers["retry-after"]) - 1 });
  expect((await request(loans[0])).statusCode).toBe(429);
  await advance({ seconds: 1 });
  expect((await request(loans[0])).statusCode).toBe(200);
});

test("a repeated request with the same Idempotency-Key sends nothing more", async () => {
  const loanId = await waiting();
  const headers = { "idempotency-key": `consent-${loanId}` };
  const first = await request(loanId, { headers });
  const again = await request(loanId, { headers });
  expect(again.statusCode).toBe(200);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.json()).toEqual(first.json());
});

test("of requests that arrive together one sends a code", async () => {
  const loanId = await waiting();
  const replies = await Promise.all(Array.from({ length: 8 }, () => request(loanId)));
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(429)]);
});

test("another merchant's loan is not found, nor is what is not an id", async () => {
  const loanId = await waiting();
  const stranger = await request(loanId, { key: app.otherMerchant.secretKey });
  expect(stranger.statusCode).toBe(404);
  expect(stranger.json().code).toBe("checkout_loan_not_found");
  expect((await request("1042")).statusCode).toBe(404);
});

test("a loan that has consent, or is over, is not asked about again", async () => {
  const loanId = await waiting();
  await app.consent(loanId);
  const given = await request(loanId);
  expect([given.statusCode, given.json().code]).toEqual([409, "consent_given"]);
  const expired = await waiting();
  await advance({ days: 2 });
  const over = await request(expired);
  expect([over.statusCode, over.json().code]).toEqual([409, "invalid_state"]);
});
