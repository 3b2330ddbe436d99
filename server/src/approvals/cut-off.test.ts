/** The line to the database is cut while somebody agrees, as when the server is killed: it was paid once or not at all. */
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { signIn } from "../../testing/console.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { asOwner, eventually } from "../../testing/work.ts";
import { readEnvironment } from "../platform/database/database.ts";
import { verifyApprovals } from "./verify-approvals.ts";

const testing = await createPayingApp();
const { call, db, ownerUrl, merchant } = testing;
const maker = await signIn(testing, { email: "maker@example.com", role: "finance" });
const checker = await signIn(testing, { email: "checker@example.com", role: "finance" });

const gate = 4_242;
const keeper = new pg.Client({ connectionString: ownerUrl });
await keeper.connect();
afterAll(() => keeper.end());

/**
 * Whoever decides stops there while the keeper holds the gate. What was cut before the commit is tried again by the
 * server itself; a cut commit may have been done, so that the person is told to look.
 */
const stops = [
  ["the payout is accepted and the decision is not written", "before update on approvals for each row", 200],
  [
    "the decision is written and nothing is committed",
    "after update on approvals deferrable initially deferred for each row",
    503,
  ],
] as const;

async function stopAt(moment: string): Promise<void> {
  const kind = moment.includes("deferred") ? "constraint trigger" : "trigger";
  await asOwner(
    ownerUrl,
    `create or replace function wait_at_gate() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$;
     drop trigger if exists gate on approvals;
     create ${kind} gate ${moment} execute function wait_at_gate()`,
  );
}

const waitingAtGate = `from pg_locks where locktype = 'advisory' and objid = ${gate} and not granted`;

test.each(stops)("cut off when %s", async (_, moment, told) => {
  await stopAt(moment);
  const order = { accountNumber: "0690000032", bankCode: "044", amount: 1_000 + told, currency: "NGN" };
  const payout = { ...order, reference: freshReference() };
  const { id } = (await maker.call("POST", "/approvals", { payout })).json().data;
  const status = async () => (await checker.call("GET", `/approvals/${id}`)).json().data.status;
  const paid = () => call("GET", `/transfers/verify?reference=${payout.reference}`);
  const path = `/console/api/environments/${merchant.environment.id}/approvals/${id}/approve`;
  const agree = () => checker.ask("POST", path, undefined, { "idempotency-key": `agree-${id}` });
  const before = await testing.balance();

  await keeper.query("select pg_advisory_lock($1)", [gate]);
  const cut = agree();
  const isThere = async () => (await keeper.query(`select 1 ${waitingAtGate}`)).rowCount === 1;
  await eventually("somebody agrees", isThere);
  await keeper.query(`select pg_terminate_backend(pid, 5000) ${waitingAtGate}`);
  // The gate is still shut: whoever tries again has committed nothing.
  expect([await status(), (await paid()).statusCode]).toEqual(["waiting", 404]);
  expect(await testing.balance()).toEqual(before);
  await keeper.query("select pg_advisory_unlock($1)", [gate]);
  expect((await cut).statusCode).toBe(told);

  const { statusCode, body } = await agree();
  expect(statusCode, body).toBe(200);
  const { data } = (await paid()).json();
  expect([await status(), data.reference]).toEqual(["approved", payout.reference]);
  const again = await agree();
  expect([again.statusCode, again.json().data.transferId]).toEqual([200, data.id]);
  expect((await testing.balance()).available).toBeCloseTo(before.available - data.totalDebit, 2);
  expect(await readEnvironment(db, merchant.environment.id, verifyApprovals)).toEqual([]);
});
