import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { lockCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { changeTenor } from "../loans/request-loan.ts";
import { canonicalJson } from "./terms.ts";

const app = await createBorrowingApp();
const { call, advance } = app;
const request = (loanId: string) => call("POST", `/loans/bnpl/loans/${loanId}/consent/request`);
const verify = (loanId: string, otp: unknown = "123456", options = {}) =>
  call("POST", `/loans/bnpl/loans/${loanId}/consent/verify`, { body: { otp }, ...options });
const read = (loanId: string, options = {}) => call("GET", `/loans/bnpl/loans/${loanId}/consent`, options);

async function asked(): Promise<string> {
  const loanId = await app.loan(await app.customer());
  expect((await request(loanId)).statusCode).toBe(200);
  return loanId;
}

const attempts = (loanId: string) =>
  app.within(async (tx) => {
    const find = tx.selectFrom("consent_codes").select("attempts").where("loan_id", "=", loanId);
    return (await find.where("status", "=", "live").executeTakeFirst())?.attempts;
  });

test("the right code gives consent, and the loan waits for a card", async () => {
  const loanId = await asked();
  const reply = await verify(loanId);
  expect(reply.statusCode).toBe(200);
  expect(reply.json().data).toMatchObject({ loan_id: loanId, consent_status: "consented", status: "pending_card" });
  expect(await app.status(loanId)).toBe("pending_card");
});

test("with a card linked before, the loan is approved at once", async () => {
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  const loanId = await app.loan(customerId);
  await request(loanId);
  expect((await verify(loanId)).json().data.status).toBe("approved");
});

test("the record shows the terms as displayed, and a hash that anybody can compute again", async () => {
  const loanId = await asked();
  expect([(await read(loanId)).statusCode, (await read(loanId)).json().code]).toEqual([404, "consent_not_found"]);
  await verify(loanId);
  const { data } = (await read(loanId)).json();
  expect(data).toMatchObject({
    loan_id: loanId,
    consent_status: "consented",
    channel: "sms",
    destination: "0803****678",
    terms: {
      lender: "Sample Lender (sandbox)",
      merchant: "Mama Put Foods",
      currency: "NGN",
      amount: "60000.00",
      tenor: 3,
      interest_rate: 2.5,
      total_interest: "4500.00",
      total_repayment: "64500.00",
      installment_amount: "21500.00",
    },
  });
  expect(data.terms.schedule.map(({ amount_due }: { amount_due: string }) => amount_due)).toEqual(
    Array(3).fill("21500.00"),
  );
  expect(data.schedule_hash).toBe(createHash("sha256").update(canonicalJson(data.terms)).digest("hex"));
  const messages = (await call("GET", "/sandbox/messages")).json().data;
  expect(messages.map(({ id }: { id: string }) => id)).toContain(data.message_id);
  expect((await read(loanId, { key: app.otherMerchant.secretKey })).statusCode).toBe(404);
});

test("a wrong code says how many tries are left, and the sixth is not looked at even if it is right", async () => {
  const loanId = await asked();
  for (const left of [4, 3, 2, 1, 0]) {
    const wrong = await verify(loanId, "000000");
    expect([wrong.statusCode, wrong.json().code, wrong.json().data]).toEqual([
      422,
      "otp_invalid",
      { attempts_remaining: left },
    ]);
  }
  const locked = await verify(loanId);
  expect([locked.statusCode, locked.json().code]).toEqual([422, "otp_attempts_exceeded"]);
  expect(await app.status(loanId)).toBe("pending_consent");
  await advance({ seconds: 60 });
  await request(loanId);
  expect((await verify(loanId)).statusCode).toBe(200);
});

test("two hundred guesses at once take five tries", async () => {
  const loanId = await asked();
  const guesses = Array.from({ length: 200 }, (_, guess) => verify(loanId, String(200_000 + guess)));
  const codes = (await Promise.all(guesses)).map((reply) => reply.json().code);
  expect(codes.filter((code) => code === "otp_invalid")).toHaveLength(5);
  // A busy machine turns some away before they are looked at.
  const others = codes.filter((code) => code !== "otp_invalid");
  expect(others.filter((code) => code !== "otp_attempts_exceeded" && code !== "unavailable")).toEqual([]);
  expect(others).toContain("otp_attempts_exceeded");
  expect(await attempts(loanId)).toBe(5);
});

test("of right answers that arrive together one gives consent, and there is one record", async () => {
  const loanId = await asked();
  const replies = await Promise.all(Array.from({ length: 5 }, () => verify(loanId)));
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409]);
  expect(replies.filter((reply) => reply.json().code === "consent_given")).toHaveLength(4);
  const records = await app.within((tx) =>
    tx.selectFrom("consent_records").select("id").where("loan_id", "=", loanId).execute(),
  );
  expect(records).toHaveLength(1);
});

test("a repeated answer with the same Idempotency-Key is answered as before and takes no try", async () => {
  const loanId = await asked();
  const headers = { "idempotency-key": `verify-${loanId}` };
  const wrong = await verify(loanId, "000000", { headers: { "idempotency-key": `wrong-${loanId}` } });
  expect(wrong.json().code).toBe("otp_invalid");
  const first = await verify(loanId, "123456", { headers });
  const again = await verify(loanId, "123456", { headers });
  expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.json()).toEqual(first.json());
  const other = await verify(loanId, "654321", { headers });
  expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
  const without = await verify(loanId);
  expect([without.statusCode, without.json().code]).toEqual([409, "consent_given"]);
});

test("nothing can be answered before a code was sent", async () => {
  const loanId = await app.loan(await app.customer());
  const reply = await verify(loanId);
  expect([reply.statusCode, reply.json().code]).toEqual([422, "otp_not_requested"]);
});

test("a code lives ten minutes", async () => {
  const [inTime, late] = [await asked(), await asked()];
  await advance({ seconds: 599 });
  expect((await verify(inTime)).statusCode).toBe(200);
  await advance({ seconds: 1 });
  const reply = await verify(late);
  expect([reply.statusCode, reply.json().code]).toEqual([422, "otp_expired"]);
  expect(await attempts(late)).toBe(0);
});

test("another tenor needs a new code, and the old one is not even tried", async () => {
  const loanId = await asked();
  await app.within(async (tx) => changeTenor(tx, app.dependencies.sealer, await lockCheckoutLoan(tx, loanId), 6));
  const reply = await verify(loanId);
  expect([reply.statusCode, reply.json().code]).toEqual([409, "consent_terms_changed"]);
  expect(await attempts(loanId)).toBe(0);
  await advance({ seconds: 60 });
  await request(loanId);
  expect((await verify(loanId)).statusCode).toBe(200);
  expect((await read(loanId)).json().data.terms.tenor).toBe(6);
});

test("a midnight in Lagos moves the dates, so that a code from before it does not count", async () => {
  const { now } = (await call("GET", "/sandbox/clock")).json().data;
  const midnight = new Date(Date.parse(now) + 24 * 3_600_000);
  midnight.setUTCHours(23, 0, 0, 0);
  await advance({ to: new Date(midnight.getTime() - 1_000).toISOString() });
  const loanId = await asked();
  await advance({ seconds: 1 });
  const reply = await verify(loanId);
  expect([reply.statusCode, reply.json().code]).toEqual([409, "consent_terms_changed"]);
});

test("another merchant's loan is not found, and its code loses no try", async () => {
  const loanId = await asked();
  const reply = await verify(loanId, "000000", { key: app.otherMerchant.secretKey });
  expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_loan_not_found"]);
  expect(await attempts(loanId)).toBe(0);
});

test.each([
  ["a number", 123_456],
  ["too short", "12345"],
  ["too long", "1234567"],
  ["with a blank", " 123456"],
  ["of other digits", "１２３４５６"],
  ["null", null],
  ["a list", ["123456"]],
  ["huge", "123456".repeat(9_000)],
])("what is %s is no code and takes no try", async (_, otp) => {
  const loanId = await asked();
  const reply = await verify(loanId, otp);
  expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  expect(await attempts(loanId)).toBe(0);
});

test("a loan that is over cannot be consented to", async () => {
  const loanId = await asked();
  await advance({ days: 2 });
  const reply = await verify(loanId);
  expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
});

test("neither code nor phone number is in the events or in what the API shows", async () => {
  const events = await app.within((tx) => tx.selectFrom("events").select("data").execute());
  expect(JSON.stringify(events)).not.toMatch(/123456(?!\d)|\+234803\d{4}678/);
});
