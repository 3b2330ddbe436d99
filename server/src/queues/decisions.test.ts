/** What waits for an operator, over all environments, and how it is decided from the console. */
import { expect, test } from "vitest";
import { createCheckoutApp, freshBvn } from "../../testing/checkout/checkout.ts";
import { ageSessions, signIn } from "../../testing/console.ts";
import { issueLiveKeyFor } from "../../testing/keys.ts";
import { application } from "../../testing/lending/loans.ts";
import { asOwner } from "../../testing/work.ts";

const app = await createCheckoutApp();
const { call, operate, onboard, advance, merchant, ownerUrl } = app;
const liveKey = await issueLiveKeyFor(app.db, merchant.merchant.id);
const path = "/operator/decisions";
const reason = { reason: "Ticket 4711" };

async function listed(query = "") {
  const reply = await operate("GET", `${path}${query}`);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

const waits = async (id: string) => (await listed("?limit=100")).data.find((one: { id: string }) => one.id === id);

async function ask(changes: Readonly<Record<string, unknown>> = {}, key = merchant.secretKey): Promise<string> {
  const reply = await call("POST", "/loans/create", { body: { ...application, ...changes }, key });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data.id;
}

test("nothing waits at first, and what a sandbox decides by itself does not either", async () => {
  await ask();
  expect(await listed()).toMatchObject({ data: [], pagination: { totalItems: 0 } });
});

test("a live loan waits at once, and no longer when it is decided", async () => {
  const id = await ask({}, liveKey);
  expect(await waits(id)).toMatchObject({
    kind: "loan",
    customerId: null,
    environment: "LIVE",
    merchant: { id: merchant.merchant.id, name: "Mama Put Foods" },
    name: "Adaeze Okafor",
    amount: 120_000,
    detail: "12 months",
  });
  expect((await operate("POST", `/operator/loans/${id}/reject`, reason)).statusCode).toBe(200);
  expect(await waits(id)).toBeUndefined();
});

test("a loan whose payouts failed five times waits to be paid out again", async () => {
  const id = await ask({ account_number: "0000000000" });
  await advance({ days: 1 });
  expect(await waits(id)).toBeUndefined();
  await advance({ days: 9 });
  expect(await waits(id)).toMatchObject({ kind: "loan_payout", environment: "SANDBOX", detail: "5 payouts failed" });
});

test("so does a loan of the checkout", async () => {
  const { loanId, customerId } = await app.lend();
  await asOwner(
    ownerUrl,
    `update checkout_loans set status = 'approved', disbursement_id = null, disbursements = 5,
       updated_at = updated_at - interval '1 hour' where id = '${loanId}'`,
  );
  expect(await waits(loanId)).toMatchObject({ kind: "checkout_loan_payout", customerId });
});

test("new contact data wait for a week, and an identity while no register has confirmed it", async () => {
  const bvn = freshBvn();
  const { id } = (await onboard({ bvn })).json().data;
  const change = (await onboard({ bvn, phone: "+2348090000001" })).json().data.pending_change.id;
  await advance({ seconds: 120 });
  await asOwner(ownerUrl, `update customers set kyc_status = 'pending' where id = '${id}'`);
  const detail = "phone +2348090000001";
  expect(await waits(change)).toMatchObject({ kind: "contact_change", customerId: id, amount: null, detail });
  expect(await waits(id)).toMatchObject({ kind: "identity", customerId: id });
  await asOwner(ownerUrl, `update customers set kyc_status = 'verified' where id = '${id}'`);
  await advance({ days: 7 });
  expect(await waits(change)).toBeUndefined();
});

test("live ones come first, and the list is narrowed down and turned by pages", async () => {
  const id = await ask({}, liveKey);
  const { data, pagination } = await listed("?limit=1");
  expect([data.map((one: { id: string }) => one.id), pagination.totalItems]).toEqual([[id], 3]);
  expect((await listed("?limit=1&page=2")).data[0].environment).toBe("SANDBOX");
  expect((await listed("?environment=LIVE")).pagination.totalItems).toBe(1);
  expect((await listed("?kind=loan_payout")).data).toHaveLength(1);
  expect((await listed("?kind=loan_payout&environment=LIVE")).data).toEqual([]);
  const refused = await operate("GET", `${path}?kind=all`);
  expect([refused.statusCode, refused.json().code]).toEqual([422, "validation_failed"]);
});

test("all operators' people see it; only an admin who has proved to be it decides about a loan", async () => {
  const id = await ask({}, liveKey);
  const door = "/console/api";
  const admin = await signIn(app, { email: "ada@operator.example", operator: "admin" });
  const support = await signIn(app, { email: "efe@operator.example", operator: "support" });
  const owner = await signIn(app, { email: "owner@example.com", role: "owner" });
  const approve = `${door}/operator/loans/${id}/approve`;
  expect((await support.ask("GET", `${door}${path}`)).statusCode).toBe(200);
  expect((await support.ask("POST", approve, reason)).json().code).toBe("role_missing");
  expect((await owner.ask("GET", `${door}${path}`)).statusCode).toBe(403);
  expect((await owner.ask("POST", approve, reason)).statusCode).toBe(403);
  await ageSessions(app);
  expect((await admin.ask("POST", approve, reason)).json().code).toBe("proof_needed");
  await asOwner(ownerUrl, "update person_sessions set proven_at = clock_timestamp()");
  expect((await admin.ask("POST", approve, reason)).statusCode).toBe(200);
  expect(await waits(id)).toBeUndefined();
});
