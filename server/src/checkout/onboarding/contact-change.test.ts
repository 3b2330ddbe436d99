import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodLoan, unknownId } from "../../../testing/checkout/checkout.ts";
import { inEnvironment } from "../../platform/database/database.ts";

const app = await createCheckoutApp();
const { call, onboard, advance, operate, otherMerchant } = app;
const path = "/loans/bnpl/customers";
let phones = 0;
/** Of each test its own: people who share one share a limit. */
let newPhone = "";
const right = { otp: "123456" };

interface Waiting {
  readonly id: string;
  readonly bvn: string;
  readonly oldPhone: string;
  readonly changeId: string;
}

async function waiting(changes: Readonly<Record<string, string>> = {}): Promise<Waiting> {
  phones += 1;
  newPhone = `+234809${String(phones).padStart(7, "0")}`;
  const bvn = freshBvn();
  const { id, phone: oldPhone } = (await onboard({ bvn })).json().data;
  const again = await onboard({ bvn, phone: newPhone, ...changes });
  return { id, bvn, oldPhone, changeId: again.json().data.pending_change.id };
}

const verify = ({ id, changeId }: Waiting, body = right, options = {}) =>
  call("POST", `${path}/${id}/contact-changes/${changeId}/verify`, { body, ...options });
const resend = ({ id, changeId }: Waiting) => call("POST", `${path}/${id}/contact-changes/${changeId}/resend`);
const read = async (id: string) => (await call("GET", `${path}/${id}`)).json().data;
const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];
const decide = ({ id, changeId }: Waiting, verb: string, body: unknown = { reason: "Passport seen" }) =>
  operate("POST", `/operator/customers/${id}/contact-changes/${changeId}/${verb}`, body);

async function messagesOf(phone: string): Promise<string[]> {
  const reply = await call("GET", `/sandbox/messages?to=${encodeURIComponent(phone)}&limit=100`);
  return reply.json().data.map(({ text }: { text: string }) => text);
}

describe("a change of contact data", () => {
  test("takes effect when the code is answered that was sent to the old phone", async () => {
    const change = await waiting({ email: "new@example.com" });
    expect((await messagesOf(change.oldPhone))[0]).toMatch(
      /^123456 .* the phone number and e-mail address that Mama Put Foods/,
    );
    const reply = await verify(change);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json().data).toMatchObject({ phone: newPhone, email: "new@example.com", pending_change: null });
    expect(await read(change.id)).toEqual(reply.json().data);
    expect(codeOf(await verify(change))).toEqual([409, "invalid_state"]);
  });

  test("wants a code that is good: one that was replaced meanwhile is none", async () => {
    const change = await waiting();
    await inEnvironment(app.db, app.merchant.environment.id, (tx) =>
      tx.updateTable("consent_codes").set({ status: "replaced" }).where("change_id", "=", change.changeId).execute(),
    );
    expect(codeOf(await verify(change))).toEqual([422, "otp_not_requested"]);
    expect((await read(change.id)).phone).toBe(change.oldPhone);
  });

  test("is the same when it is asked for again, and replaced by another", async () => {
    const change = await waiting();
    const { bvn, changeId } = change;
    const same = await onboard({ bvn, phone: newPhone });
    expect(same.json().data.pending_change.id).toBe(changeId);
    const other = await onboard({ bvn, phone: "+2348077777777" });
    expect(other.json().data.pending_change.id).not.toBe(changeId);
    expect(codeOf(await verify(change))).toEqual([409, "invalid_state"]);
  });

  test("is replayed under an Idempotency-Key without another try", async () => {
    const change = await waiting();
    const headers = { "idempotency-key": `change-${change.id}` };
    const first = await verify(change, right, { headers });
    const again = await verify(change, right, { headers });
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
  });

  test("of two right answers at once takes effect once", async () => {
    const change = await waiting();
    const replies = await Promise.all([verify(change), verify(change)]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted()[0]).toBe(200);
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test("takes five tries and no more, and a new code after that", async () => {
    const change = await waiting();
    for (const left of [4, 3, 2, 1, 0]) {
      const reply = await verify(change, { otp: "000000" });
      expect([...codeOf(reply), reply.json().data]).toEqual([422, "otp_invalid", { attempts_remaining: left }]);
    }
    expect(codeOf(await verify(change))).toEqual([422, "otp_attempts_exceeded"]);
    const early = await resend(change);
    expect([...codeOf(early), early.headers["retry-after"]]).toEqual([429, "otp_resend_too_early", "60"]);
    await advance({ seconds: 60 });
    expect((await resend(change)).json().data).toMatchObject({ id: change.changeId, destination: "0803****567" });
    expect((await verify(change)).statusCode).toBe(200);
  });

  test("its codes are limited over all changes of the customer, and leave those of loans alone", async () => {
    const change = await waiting();
    for (const digit of [1, 2, 3]) {
      await onboard({ bvn: change.bvn, phone: `+23480${digit}5555555` });
      await advance({ seconds: 61 });
    }
    const { pending_change: last } = await read(change.id);
    await resend({ ...change, changeId: last.id });
    await advance({ seconds: 61 });
    expect(codeOf(await resend({ ...change, changeId: last.id }))).toEqual([429, "otp_limit_reached"]);
    const loan = await call("POST", `${path}/${change.id}/loans`, { body: goodLoan });
    expect((await call("POST", `/loans/bnpl/loans/${loan.json().data.id}/consent/request`)).statusCode).toBe(200);
  });

  test("has a code that expires, and expires itself after a week", async () => {
    const change = await waiting();
    await advance({ seconds: 600 });
    expect(codeOf(await verify(change))).toEqual([422, "otp_expired"]);
    await advance({ days: 7 });
    expect((await read(change.id)).pending_change).toBeNull();
    expect(codeOf(await verify(change))).toEqual([409, "invalid_state"]);
    expect(codeOf(await resend(change))).toEqual([409, "invalid_state"]);
    expect(codeOf(await decide(change, "approve"))).toEqual([409, "invalid_state"]);
    const again = await onboard({ bvn: change.bvn, phone: newPhone });
    expect(again.json().data.pending_change.id).not.toBe(change.changeId);
  });

  test("is not there for another merchant, another customer and what is not an id", async () => {
    const [change, other] = [await waiting(), await waiting()];
    expect(codeOf(await verify(change, right, { key: otherMerchant.secretKey }))).toEqual([
      404,
      "checkout_customer_not_found",
    ]);
    for (const changeId of [other.changeId, unknownId]) {
      expect(codeOf(await verify({ ...change, changeId }))).toEqual([404, "contact_change_not_found"]);
    }
    expect((await verify({ ...change, changeId: "nothing" })).statusCode).toBe(404);
  });

  test("an e-mail address in capitals is the same one, and an address is added when none was known", async () => {
    const bvn = freshBvn();
    await onboard({ bvn });
    const again = await onboard({ bvn, email: "ADAEZE@example.com", address: "1 Marina, Lagos" });
    expect(again.json().data.pending_change).toBeNull();
    const moved = await onboard({ bvn, address: "2 Marina, Lagos" });
    expect(moved.json().data.pending_change.fields).toEqual(["address"]);
  });
});

describe("an operator's decision about a change", () => {
  test("takes effect without a code, and the trail says why", async () => {
    const change = await waiting();
    const list = await operate("GET", `/operator/customers/${change.id}/contact-changes`);
    expect(list.json().data).toMatchObject([{ id: change.changeId, status: "pending", phone: newPhone, email: null }]);
    const reply = await decide(change, "approve");
    expect([reply.statusCode, reply.json().data.status], reply.body).toEqual([200, "approved"]);
    expect(await read(change.id)).toMatchObject({ phone: newPhone, pending_change: null });
    const [entry] = (await operate("GET", "/operator/audit?limit=1")).json().data;
    expect(entry).toMatchObject({
      action: "customer.contact-change.approve",
      subjectType: "customer",
      subjectId: change.id,
      detail: { changeId: change.changeId, reason: "Passport seen" },
    });
    expect(codeOf(await decide(change, "reject"))).toEqual([409, "invalid_state"]);
  });

  test("can be a no, after which the code is of no use", async () => {
    const change = await waiting();
    expect((await decide(change, "reject")).json().data.status).toBe("rejected");
    expect(codeOf(await verify(change))).toEqual([409, "invalid_state"]);
    expect(await read(change.id)).toMatchObject({ phone: change.oldPhone, pending_change: null });
  });

  test("needs a reason and the operator", async () => {
    const change = await waiting();
    expect((await decide(change, "approve", { reason: " " })).statusCode).toBe(422);
    const byMerchant = await call(
      "POST",
      `/operator/customers/${change.id}/contact-changes/${change.changeId}/approve`,
      {
        body: { reason: "Mine" },
      },
    );
    expect(byMerchant.statusCode).toBe(401);
  });
});

describe("after the phone has changed", () => {
  test("a card is asked for again, and only one that is linked from then on backs a loan", async () => {
    const change = await waiting();
    await app.link(change.id, "linked");
    expect((await read(change.id)).has_linked_card).toBe(true);
    await verify(change);
    expect((await read(change.id)).has_linked_card).toBe(false);
    const loanId = (await app.request(change.id)).json().data.id;
    await app.consent(loanId);
    expect(await app.read(loanId)).toMatchObject({
      status: "pending_card",
      requirements: [
        { type: "consent", status: "met" },
        { type: "card_link", status: "pending" },
      ],
    });
    await app.link(change.id, "linked");
    expect(await app.status(loanId)).toBe("approved");
  });

  test("a link that was opened before does not count, even if the card comes after", async () => {
    const change = await waiting();
    const made = await call("POST", `${path}/${change.id}/cards/link`, { body: {} });
    await verify(change);
    const link = `/sandbox/card-links/${made.json().data.link_id}/complete`;
    expect((await call("POST", link, { body: { outcome: "linked" } })).statusCode).toBe(200);
    expect((await read(change.id)).has_linked_card).toBe(false);
  });

  test("codes that the old phone got are void, and loans that waited for a card are over", async () => {
    const change = await waiting();
    const waits = (await app.request(change.id)).json().data.id;
    await app.consent(waits);
    expect(await app.status(waits)).toBe("pending_card");
    const asked = (await app.request(change.id)).json().data.id;
    await call("POST", `/loans/bnpl/loans/${asked}/consent/request`);
    await verify(change);
    expect(await app.status(waits)).toBe("cancelled");
    expect(codeOf(await call("POST", `/loans/bnpl/loans/${asked}/consent/verify`, { body: right }))).toEqual([
      422,
      "otp_not_requested",
    ]);
  });

  test("the card goes on paying for the loan that is out", async () => {
    const change = await waiting();
    await app.link(change.id, "linked");
    const loanId = (await app.request(change.id, { tenor: 1 })).json().data.id;
    await app.consent(loanId);
    await advance({ seconds: 10 });
    expect(await app.status(loanId)).toBe("active");
    await call("POST", `${path}/${change.id}/contact-changes/${change.changeId}/resend`);
    await verify(change);
    await advance({ days: 31 });
    expect(await app.status(loanId)).toBe("completed");
  });
});
