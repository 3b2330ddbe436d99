/**
 * Random lives of payouts, bills, loans and purchases on credit in one sandbox: every ledger transaction and every
 * event of it stands in exactly one story, once and in order, and every id of a story tells the same one.
 */
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readEnvironment } from "../../server/src/platform/database/database.ts";
import { createBorrowingApp } from "../../server/testing/checkout/borrowers.ts";
import { application } from "../../server/testing/lending/loans.ts";

/** Requests are written down a moment later: two readings may differ by them. */
const app = await createBorrowingApp({ requestLogDays: 0 });
const { call, db, merchant } = app;
const environmentId = merchant.environment.id;

const ending = fc.constantFrom("", "_FAIL", "_PENDING", "_TIMEOUT", "_REVERSE");
const flow = fc.oneof(
  fc.record({ does: fc.constant("pay" as const), ending, by: fc.constantFrom("complete", "fail", "nobody") }),
  fc.record({ does: fc.constant("vend" as const), ending }),
  fc.record({ does: fc.constant("lend" as const), repayments: fc.nat({ max: 2 }), reverses: fc.boolean() }),
  fc.record({ does: fc.constant("buy" as const), days: fc.nat({ max: 40 }) }),
);
type Flow = typeof flow extends fc.Arbitrary<infer T> ? T : never;

let made = 0;
const fresh = (end = "") => {
  made += 1;
  return `run-${made}${end}`;
};

async function ask(path: string, body: object): Promise<Record<string, string>> {
  const reply = await call("POST", path, { body });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().data;
}

const advance = (by: object) => ask("/sandbox/clock/advance", by);

async function play(step: Flow): Promise<string> {
  if (step.does === "pay") {
    const payout = { accountNumber: "0690000032", bankCode: "044", amount: 2500.5, currency: "NGN" };
    const { id = "" } = await ask("/transfers", { ...payout, reference: fresh(step.ending) });
    await advance({ seconds: 5 });
    if (step.by !== "nobody") await call("POST", `/sandbox/transfers/${id}/${step.by}`);
    return id;
  }
  if (step.does === "vend") {
    const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 500 };
    const { id = "" } = await ask("/bills/airtime/vend", { ...airtime, reference: fresh(step.ending) });
    await advance({ seconds: 300 });
    return id;
  }
  if (step.does === "lend") return lend(step.repayments, step.reverses);
  const { loanId } = await app.lend("linked");
  await advance({ days: step.days + 1 });
  return loanId;
}

async function lend(repayments: number, reverses: boolean): Promise<string> {
  const { id = "" } = await ask("/loans/create", application);
  await advance({ seconds: 5 });
  for (let count = 0; count < repayments; count += 1) {
    const paid = await ask(`/loans/${id}/repayments`, { amount: 14_800, reference: fresh(), channel: "wallet" });
    if (reverses) await ask(`/loans/${id}/repayments/${paid["id"]}/reverse`, { reason: "Not received" });
    await advance({ days: 31 });
  }
  return id;
}

interface Step {
  readonly at: string;
  readonly kind: string;
  readonly ids: Readonly<Record<string, string>>;
}

async function stepsOf(id: string): Promise<Step[]> {
  const reply = await call("GET", `/traces/${id}`);
  expect(reply.statusCode, id).toBe(200);
  return reply.json().data.steps;
}

async function column(query: ReturnType<typeof sql<{ id: string }>>): Promise<string[]> {
  return (await readEnvironment(db, environmentId, (tx) => query.execute(tx))).rows.map(({ id }) => id);
}

const idsIn = (steps: readonly Step[], kind: string, word: string) =>
  steps.filter((step) => step.kind === kind).map(({ ids }) => ids[word] ?? "");

test("every posting and every event is told once, in order, and every id of a story tells the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(flow, { minLength: 1, maxLength: 5 }), async (flows) => {
      await ask("/sandbox/reset", {});
      await call("PUT", "/sandbox/clock", { body: { mode: "frozen", now: "2026-11-02T08:00:00.000Z", seed: fresh() } });
      await ask("/sandbox/wallets/fund", { amount: 1_000_000 });
      const roots: string[] = [];
      for (const step of flows) roots.push(await play(step));
      const alone = await column(sql`select id from card_links union all select id from wallet_movements`);
      const stories = await Promise.all([...roots, ...alone].map(stepsOf));
      const written = await column(
        sql`select id from ledger_transactions where resource_type <> 'lender_funding' order by id`,
      );
      const announced = await column(sql`select id from events order by sequence`);
      const posted = stories.flatMap((steps) => idsIn(steps, "posting", "transaction"));
      expect(posted.toSorted()).toEqual(written.toSorted());
      const place = new Map(announced.map((id, index) => [id, index]));
      const heard = stories.map((steps) => idsIn(steps, "event", "event"));
      expect(heard.flat().toSorted()).toEqual(announced.toSorted());
      for (const events of heard) {
        expect(events).toEqual(events.toSorted((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0)));
      }
      for (const steps of stories) {
        const moments = steps.map(({ at }) => at);
        expect(moments).toEqual(moments.toSorted());
        for (const id of [...idsIn(steps, "posting", "transaction"), ...idsIn(steps, "event", "event")].slice(0, 4)) {
          expect(await stepsOf(id)).toEqual(steps);
        }
      }
    }),
    { numRuns: 6 },
  );
});
