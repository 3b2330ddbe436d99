/**
 * A thief has found the address of somebody's plan: in a chat, a history, over a shoulder. Or is a customer with a plan
 * and a browser, or a merchant with a key. What is sent to the customer's phone the thief cannot read.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createPlanApp } from "../../../testing/checkout/plans.ts";

const app = await createPlanApp();
const { call, lend, advance, within } = app;

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];
const behind = [
  ["GET", "/hosted/plan/visit"],
  ["POST", "/hosted/plan/visit/pay"],
  ["POST", "/hosted/plan/visit/card-link"],
  ["POST", "/hosted/plan/visit/leave"],
] as const;
const payment = () => ({ amount: 21_500, owed: 64_500, press: randomUUID() });
const charges = (loanId: string) =>
  within((tx) => tx.selectFrom("card_charges").select("amount").where("loan_id", "=", loanId).execute());

describe("with the address", () => {
  test("nothing of the customer or the loan is shown, asked for a code or not, guessed or not", async () => {
    const { loanId } = await lend();
    const door = app.door(await app.address(loanId));
    const replies = [await door.send("GET", "/hosted/plan"), await door.ask(), await door.answer("000000")];
    for (const { body } of replies) {
      for (const secret of ["Adaeze", "Okafor", "0803", "4081", "64500", "64_500", "60000", loanId]) {
        expect(body).not.toContain(secret);
      }
    }
  });

  test("the door's token opens nothing behind the door, and no other page", async () => {
    const { loanId } = await lend();
    const door = app.door(await app.address(loanId));
    for (const [method, path] of behind) {
      const body = path.endsWith("/pay") ? payment() : undefined;
      expect(codeOf(await door.send(method, path, body))).toEqual([401, "invalid_page_token"]);
    }
    for (const path of ["/hosted/checkout", "/hosted/card-link"]) {
      expect(codeOf(await door.send("GET", path))).toEqual([401, "invalid_page_token"]);
    }
    expect(await charges(loanId)).toEqual([]);
  });

  test("a code has five tries, however they arrive, and a new one costs a minute and a message", async () => {
    const { loanId, customerId } = await lend();
    const door = app.door(await app.address(loanId));
    expect(codeOf(await door.answer("123456"))).toEqual([422, "otp_not_requested"]);
    await door.ask();
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, guess) => door.answer(`00000${guess}`)));
    const tried = guesses.filter((reply) => reply.json().code === "otp_invalid");
    expect(tried).toHaveLength(5);
    expect(codeOf(await door.answer("123456"))).toEqual([422, "otp_attempts_exceeded"]);
    expect(codeOf(await door.ask())).toEqual([429, "otp_resend_too_early"]);
    const codes = (await app.texts(customerId)).filter((text) => text.includes("your code to see your payment plan"));
    expect(codes).toHaveLength(1);
  });

  test("a customer's phone gets three codes in ten minutes and ten on a day, also over several addresses", async () => {
    const { loanId } = await lend();
    const door = app.door(await app.address(loanId));
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await door.ask()).statusCode).toBe(200);
      await advance({ seconds: 61 });
    }
    expect(codeOf(await door.ask())).toEqual([429, "otp_limit_reached"]);
    const renewed = await call("POST", `/loans/bnpl/loans/${loanId}/page`, { body: { renew: true } });
    expect(codeOf(await app.door(renewed.json().data.url).ask())).toEqual([429, "otp_limit_reached"]);
    const second = app.door(renewed.json().data.url);
    for (let sent = 3; sent < 10; sent += 1) {
      await advance({ seconds: 601 });
      expect((await second.ask()).statusCode).toBe(200);
    }
    await advance({ seconds: 601 });
    expect(codeOf(await second.ask())).toEqual([429, "otp_limit_reached"]);
  });

  test("codes at the door do not use up those the customer buys with", async () => {
    const { loanId, customerId } = await lend();
    const door = app.door(await app.address(loanId));
    await door.ask();
    const next = await app.loan(customerId);
    expect((await call("POST", `/loans/bnpl/loans/${next}/consent/request`)).statusCode).toBe(200);
  });

  test("a code that was answered opens no second visit", async () => {
    const { loanId } = await lend();
    const door = app.door(await app.address(loanId));
    await door.ask();
    const [one, other] = await Promise.all([door.answer("123456"), door.answer("123456")]);
    const statuses = [one.statusCode, other.statusCode].toSorted();
    expect(statuses[0]).toBe(200);
    expect(statuses[1], "the twin").toBe(422);
    expect(codeOf(await door.answer("123456"))).toEqual([422, "otp_not_requested"]);
  });

  test("after the address was replaced an open visit has ended", async () => {
    const { loanId, visit } = await app.visit();
    await call("POST", `/loans/bnpl/loans/${loanId}/page`, { body: { renew: true } });
    for (const [method, path] of behind) {
      const body = path.endsWith("/pay") ? payment() : undefined;
      expect(codeOf(await visit.send(method, path, body))).toEqual([404, "page_ended"]);
    }
    expect(await charges(loanId)).toEqual([]);
  });
});

describe("with another phone", () => {
  test("a visit ends when the customer's phone changes, and codes go to the new one", async () => {
    const { customerId, url, visit } = await app.visit();
    const { phone: before } = (await call("GET", `/loans/bnpl/customers/${customerId}`)).json().data;
    const newPhone = "+2348090001234";
    await within(async (tx) => {
      await tx.updateTable("customers").set({ phone: newPhone }).where("id", "=", customerId).execute();
    });
    expect(codeOf(await visit.send("GET", "/hosted/plan/visit"))).toEqual([404, "page_ended"]);
    expect(codeOf(await visit.send("POST", "/hosted/plan/visit/pay", payment()))).toEqual([404, "page_ended"]);
    const count = async (phone: string) =>
      (await call("GET", `/sandbox/messages?to=${encodeURIComponent(phone)}&limit=100`)).json().data.length;
    const heard = await count(before);
    await advance({ seconds: 61 });
    await app.door(url).ask();
    expect([await count(newPhone), await count(before)]).toEqual([1, heard]);
  });
});

describe("behind one's own door", () => {
  test("a visit pays for its own loan only, and its presses are its own", async () => {
    const mine = await app.visit();
    const theirs = await app.visit();
    const press = randomUUID();
    expect((await mine.visit.pay(21_500, { press })).statusCode).toBe(200);
    expect((await theirs.visit.pay(1_000, { press })).json().data).toMatchObject({ balance: 63_500 });
    expect(await charges(mine.loanId)).toHaveLength(1);
    const key = { "idempotency-key": "the-same" };
    const one = await mine.visit.send("POST", "/hosted/plan/visit/leave", undefined, key);
    const other = await theirs.visit.send("POST", "/hosted/plan/visit/leave", undefined, key);
    expect([one.statusCode, other.statusCode]).toEqual([200, 200]);
    expect(codeOf(await theirs.visit.send("GET", "/hosted/plan/visit"))).toEqual([404, "page_ended"]);
  });

  test("a double click, a repeated request and two tabs pay once", async () => {
    const { visit, loanId } = await app.visit();
    const press = randomUUID();
    const clicks = await Promise.all([1, 2, 3].map(() => visit.pay(21_500, { owed: 64_500, press })));
    expect(clicks.filter((reply) => reply.statusCode === 200)).toHaveLength(3);
    expect((await visit.pay(21_500, { owed: 64_500, press })).json().data.balance).toBe(43_000);
    // The other tab still shows the balance from before, and has a press of its own.
    expect(codeOf(await visit.pay(21_500, { owed: 64_500 }))).toEqual([409, "balance_changed"]);
    expect(await charges(loanId)).toHaveLength(1);
    expect(codeOf(await visit.pay(1_000, { press }))).toEqual([409, "reference_conflict"]);
  });

  test("of two tabs that pay at the same moment one does", async () => {
    const { visit, loanId } = await app.visit();
    const tabs = await Promise.all([1, 2].map(() => visit.pay(64_500, { owed: 64_500 })));
    expect(tabs.map((reply) => reply.statusCode).toSorted()[0]).toBe(200);
    const paid = await call("GET", `/loans/bnpl/loans/${loanId}/repayments`);
    expect(paid.json().data.map(({ amount }: { amount: number }) => amount)).toEqual([64_500]);
  });

  test.each([0, -1, 64_500.01, 0.001])("nobody pays %d", async (amount) => {
    const { visit, loanId } = await app.visit();
    expect((await visit.pay(amount, { owed: 64_500 })).statusCode).toBe(422);
    expect(await charges(loanId)).toEqual([]);
  });
});

describe("with another merchant's key", () => {
  test("a loan of somebody else has no page", async () => {
    const { loanId } = await lend();

    const reply = await call("POST", `/loans/bnpl/loans/${loanId}/page`, {
      body: {},
      key: app.otherMerchant.secretKey,
    });
    expect(codeOf(reply)).toEqual([404, "checkout_loan_not_found"]);
    expect(codeOf(await call("POST", "/loans/bnpl/loans/nothing/page", { body: {} }))).toEqual([
      404,
      "checkout_loan_not_found",
    ]);
  });

  test("a key that may only read makes no address", async () => {
    const { loanId } = await lend();
    const issued = await app.operate("POST", `/operator/environments/${app.merchant.environment.id}/keys`, {
      name: "reader",
      scopes: ["checkout:read"],
    });
    const reply = await call("POST", `/loans/bnpl/loans/${loanId}/page`, { body: {}, key: issued.json().data.key });
    expect(codeOf(reply)).toEqual([403, "scope_missing"]);
  });
});
