import { sql } from "kysely";
import { expect, test } from "vitest";
import { type CheckoutPage, createCheckoutApp } from "../../../testing/checkout/checkout-sessions.ts";
import { silentLog } from "../../../testing/work.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { loanMoved } from "../follow-loans.ts";
import { expireCheckoutLoan } from "../loans/end-checkout-loan.ts";
import { expireSessionTask } from "./checkout-session.ts";
import { expireSession, sessionSweepSources } from "./expire-session.ts";

const app = await createCheckoutApp();
const { open, read, browse, advance, within, heard, db } = app;

/** When the session's end is booked, or undefined. */
const bookedFor = (id: string) =>
  within(async (tx) => {
    const found = tx.selectFrom("agenda").select("due_at").where("kind", "=", expireSessionTask);
    return (await found.where("subject", "=", id).executeTakeFirst())?.due_at.toISOString();
  });

/** Lets a session's time be over without the task that says so. */
const runOut = (id: string) =>
  within((tx) => sql`update checkout_sessions set expires_at = created_at where id = ${id}`.execute(tx));

async function consent(page: CheckoutPage): Promise<void> {
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
}

test("a session that nobody finished expires after a day, to the second, and says so once", async () => {
  const { id } = await open();
  await advance({ seconds: 86_399 });
  expect((await read(id)).status).toBe("open");
  await advance({ seconds: 1 });
  expect(await read(id)).toMatchObject({ status: "expired", url: null });
  expect(await heard(id)).toEqual(["checkout.session.expired"]);
  await within((tx) => expireSession(tx, { loanMoved }, id));
  expect(await heard(id)).toEqual(["checkout.session.expired"]);
});

test.each(["pending_consent", "pending_card"])("a loan that is %s expires with its session", async (status) => {
  const { id, url } = await open();
  const page = browse(url);
  await page.act("terms", { tenor: 3 });
  if (status === "pending_card") {
    await page.act("consent/request");
    await page.act("consent/verify", { otp: "123456" });
  }
  const loanId = (await read(id)).loan_id ?? "";
  expect(await app.status(loanId)).toBe(status);
  await advance({ days: 1 });
  expect([(await read(id)).status, await app.status(loanId)]).toEqual(["expired", "expired"]);
  expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.expired"]);
  expect(await heard(id)).toEqual(["checkout.session.expired"]);
});

test("a session whose loan is granted waits for the money, and is not swept up", async () => {
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  const { id, url } = await open({ customer_id: customerId, bank_code: "058" });
  await consent(browse(url));
  expect(await bookedFor(id)).toBeUndefined();
  await runOut(id);
  await within((tx) => expireSession(tx, { loanMoved }, id));
  expect(await browse(url).view()).toMatchObject({ status: "open", step: "processing" });
  await sweep(db, sessionSweepSources, silentLog);
  expect(await bookedFor(id)).toBeUndefined();
  await advance({ seconds: 10 });
  expect((await read(id)).status).toBe("completed");
});

test("a session that lost its task is given one by the sweeper, which leaves it its time", async () => {
  const { id, expires_at: expiresAt } = await open();
  await within((tx) =>
    sql`delete from agenda where subject = ${id} and environment_id = ${tx.environment.id}`.execute(tx),
  );
  expect(await bookedFor(id)).toBeUndefined();
  await sweep(db, sessionSweepSources, silentLog);
  await advance({ seconds: 1 });
  expect(await bookedFor(id)).toBe(expiresAt);
  expect((await read(id)).status).toBe("open");
});

test("sessions that have ended have nothing booked and are not swept up", async () => {
  const { id, url } = await open();
  await browse(url).act("cancel");
  await sweep(db, sessionSweepSources, silentLog);
  expect(await bookedFor(id)).toBeUndefined();
});

test("a loan that expires or is cancelled by itself takes its session along", async () => {
  const [expiring, cancelled] = [await open(), await open()];
  for (const { url } of [expiring, cancelled]) await browse(url).act("terms", { tenor: 3 });
  const loanOf = async ({ id }: { id: string }) => (await read(id)).loan_id ?? "";
  const loanId = await loanOf(expiring);
  await within((tx) => expireCheckoutLoan(tx, { loanMoved }, loanId));
  await app.call("POST", `/loans/bnpl/loans/${await loanOf(cancelled)}/cancel`);
  expect([(await read(expiring.id)).status, (await read(cancelled.id)).status]).toEqual(["expired", "cancelled"]);
});

test("an order whose session ran out, though nobody has said so yet, is free", async () => {
  const body = await app.order();
  const post = () => app.call("POST", "/loans/bnpl/checkout-sessions", { body });
  const { id, url } = (await post()).json().data;
  const page = browse(url);
  await page.act("terms", { tenor: 3 });
  await runOut(id);
  expect(await page.view()).toMatchObject({ status: "expired", step: "expired" });
  const refused = await page.send("POST", "/hosted/checkout/consent/request", {
    agreed: true,
    termsHash: "0".repeat(64),
  });
  expect(refused.json().code).toBe("session_expired");
  const again = await post();
  expect([again.statusCode, again.json().data.id === id]).toEqual([201, false]);
  expect((await read(id)).status).toBe("expired");
});

test("its events carry the record that GET shows", async () => {
  await sequenceEvents(db);
  const listed = await app.call("GET", "/events?limit=100");
  const events = listed.json().data.filter(({ event }: { event: string }) => event.startsWith("checkout.session."));
  expect(events.length).toBeGreaterThan(3);
  for (const { data } of events) expect(data).toEqual(await read(data.id));
});
