import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { kobo } from "../../money/kobo.ts";
import { createPool, inEnvironment } from "../../platform/database/database.ts";
import type { PaymentOrder } from "../../rails/bank.ts";
import { answerFromNipCode } from "../../rails/nip-codes.ts";
import { paymentReversalTask } from "./reverse-payment.ts";
import { createSimulatedBank } from "./simulated-bank.ts";

const { db, appUrl, ownerUrl } = await createTestDatabase();
const pool = createPool({ url: appUrl, poolSize: 4 });
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => Promise.all([pool.end(), owner.end()]));

const slowAnswerMs = 60;
const bank = createSimulatedBank({ pool, db, slowAnswerMs, degradedAnswerMs: 1 });
const { rail } = bank;
let environmentId: string;
let made = 0;

beforeEach(async () => {
  environmentId = (await createMerchant(db)).environment.id;
});

function order(changes: Partial<PaymentOrder> = {}): PaymentOrder {
  made += 1;
  return {
    environmentId,
    sessionId: `9990012611010830${String(made * 2 + 1).padStart(14, "0")}`,
    nipCode: "000013",
    accountNumber: "0123456789",
    accountName: "Adaeze Chidinma Okafor",
    amount: kobo(250_000n),
    narration: "rent",
    reference: `ref-${made}`,
    ...changes,
  };
}

async function booked({ sessionId }: PaymentOrder) {
  const found = await owner.query(
    "select status, amount::text, attempts from simulated_bank.payments where sandbox = $1 and session_id = $2",
    [environmentId, sessionId],
  );
  return found.rows[0];
}

const success = { outcome: "success" };

describe("resolveAccount", () => {
  const account = (nipCode: string, accountNumber = "0123456789") => ({ environmentId, nipCode, accountNumber });

  test("names a holder, the same every time", async () => {
    const answer = await rail.resolveAccount(account("000013"));
    expect(answer).toEqual({ found: "yes", accountName: expect.stringMatching(/^\w+ \w+ \w+$/) });
    expect(await rail.resolveAccount(account("000013"))).toEqual(answer);
  });

  test("finds nobody behind 0000000000", async () => {
    expect(await rail.resolveAccount(account("000013", "0000000000"))).toEqual({ found: "no" });
  });

  test("cannot reach Nowhere Bank, not even when it is set up", async () => {
    await bank.conditions.set(environmentId, "999999", "up");
    expect(await rail.resolveAccount(account("999999"))).toEqual({ found: "unavailable" });
  });

  test("hears from Slow Bank late", async () => {
    const began = performance.now();
    expect(await rail.resolveAccount(account("999998"))).toMatchObject({ found: "yes" });
    expect(performance.now() - began).toBeGreaterThan(slowAnswerMs - 5);
  });

  test("cannot reach a bank that this sandbox has put down; other sandboxes can", async () => {
    const other = (await createMerchant(db)).environment.id;
    await bank.conditions.set(environmentId, "000013", "down");
    expect(await rail.resolveAccount(account("000013"))).toEqual({ found: "unavailable" });
    expect(await rail.resolveAccount({ ...account("000013"), environmentId: other })).toMatchObject({ found: "yes" });
    const nowhere = ["999999", "down"];
    expect([...(await bank.conditions.all(environmentId))]).toEqual([["000013", "down"], nowhere]);
    expect([...(await bank.conditions.all(other))]).toEqual([nowhere]);
  });

  test("asks the database once in a while and not for each account", async () => {
    let asked = 0;
    const counting = new Proxy(pool, {
      get(target, name) {
        if (name === "query") asked += 1;
        return Reflect.get(target, name, target);
      },
    });
    const quick = createSimulatedBank({ pool: counting, db });
    for (let n = 0; n < 200; n += 1) await quick.rail.resolveAccount(account("000013", String(n).padStart(10, "1")));
    expect(asked).toBeLessThan(5);
  });
});

describe("send and query", () => {
  test("pays and says so, then and later", async () => {
    const sent = order();
    expect(await rail.send(sent)).toEqual(success);
    expect(await rail.query(sent)).toEqual(success);
    expect(await booked(sent)).toEqual({ status: "paid", amount: "250000", attempts: 1 });
  });

  test("has no record of a session that it never saw, nor of another sandbox's", async () => {
    const sent = order();
    expect(await rail.query(sent)).toEqual({ outcome: "no_record" });
    await rail.send(sent);
    const other = (await createMerchant(db)).environment.id;
    expect(await rail.query({ ...sent, environmentId: other })).toEqual({ outcome: "no_record" });
  });

  test("pays a session once however many orders arrive at the same time", async () => {
    const sent = order();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rail.send(sent)));
    expect(answers).toEqual(answers.map(() => success));
    expect(await booked(sent)).toEqual({ status: "paid", amount: "250000", attempts: 10 });
  });

  test.each([
    ["_FAIL", answerFromNipCode("05"), answerFromNipCode("05"), "refused"],
    ["_PENDING", { outcome: "unknown", code: "09" }, { outcome: "unknown", code: "09" }, "in_progress"],
    ["_TIMEOUT", { outcome: "unknown", code: null }, success, "paid"],
    ["_REVERSE", success, success, "paid"],
    ["_fail", success, success, "paid"],
    ["_FAIL_NOT", success, success, "paid"],
  ])("plays a reference that ends in %s", async (ending, answer, later, status) => {
    const sent = order({ reference: `order${ending}` });
    expect(await rail.send(sent)).toEqual(answer);
    expect(await rail.query(sent)).toEqual(later);
    expect(await booked(sent)).toMatchObject({ status, attempts: 1 });
  });

  test("answers a second order with the first one's outcome, whatever the second asks for", async () => {
    const sent = order({ reference: "a_FAIL" });
    await rail.send(sent);
    expect(await rail.send({ ...sent, reference: "b" })).toEqual(answerFromNipCode("05"));
    expect(await booked(sent)).toMatchObject({ status: "refused", attempts: 2 });
  });

  test("refuses an account that does not exist", async () => {
    expect(await rail.send(order({ accountNumber: "0000000000" }))).toEqual(answerFromNipCode("07"));
  });

  test("notes an order for Nowhere Bank and moves nothing", async () => {
    const sent = order({ nipCode: "999999" });
    expect(await rail.send(sent)).toEqual({ outcome: "unknown", code: "91" });
    expect(await rail.query(sent)).toEqual({ outcome: "unknown", code: "91" });
    expect(await booked(sent)).toMatchObject({ status: "unreached" });
  });

  test("takes the order that comes after its bank is back as the first", async () => {
    const sent = order({ reference: "after_TIMEOUT" });
    await bank.conditions.set(environmentId, "000013", "down");
    await rail.send(sent);
    await bank.conditions.set(environmentId, "000013", "up");
    expect(await rail.query(sent)).toEqual({ outcome: "no_record" });
    expect(await rail.send(sent)).toEqual({ outcome: "unknown", code: null });
    expect(await booked(sent)).toMatchObject({ status: "paid", attempts: 2 });
  });

  test("loses every other answer of a degraded bank, and none of its payments", async () => {
    await bank.conditions.set(environmentId, "000013", "degraded");
    const odd = order();
    const even = order({ sessionId: `${odd.sessionId.slice(0, -1)}8` });
    expect(await rail.send({ ...odd, sessionId: `${odd.sessionId.slice(0, -1)}7` })).toEqual(success);
    expect(await rail.send(even)).toEqual({ outcome: "unknown", code: "97" });
    expect(await rail.query(even)).toEqual(success);
  });

  test("takes a payment back whose reversal came due before it was recorded", async () => {
    const sent = order({ reference: "b_REVERSE" });
    const bookings = (): Promise<number> =>
      owner
        .query("select from agenda where kind = $1 and subject = $2", [paymentReversalTask, sent.sessionId])
        .then(({ rowCount }) => rowCount ?? 0);
    await owner.query("begin");
    await owner.query("lock table simulated_bank.payments in exclusive mode");
    const answer = rail.send(sent);
    await expect.poll(bookings).toBe(1);
    // What the agenda does when the booking's time has come.
    await owner.query("delete from agenda where kind = $1 and subject = $2", [paymentReversalTask, sent.sessionId]);
    await owner.query("commit");
    expect(await answer).toEqual(success);
    expect(await bookings()).toBe(1);
    // A kill kept it from being booked again: then there was no answer either, and it is asked for.
    await owner.query("delete from agenda where kind = $1 and subject = $2", [paymentReversalTask, sent.sessionId]);
    expect(await rail.query(sent)).toEqual(success);
    expect(await bookings()).toBe(1);
  });

  test("books the reversal of a payment three seconds ahead", async () => {
    const sent = order({ reference: "a_REVERSE" });
    const before = Date.now();
    await rail.send(sent);
    const [entry] = await inEnvironment(db, environmentId, (tx) =>
      tx.selectFrom("agenda").select(["kind", "subject", "due_at"]).execute(),
    );
    expect(entry).toMatchObject({ kind: paymentReversalTask, subject: sent.sessionId });
    const dueAt = entry?.due_at.getTime() ?? 0;
    expect(dueAt - before).toBeGreaterThan(2_900);
    expect(dueAt - Date.now()).toBeLessThanOrEqual(3_100);
  });
});

describe("decide", () => {
  test("ends a payment in progress, either way", async () => {
    const [one, other] = [order({ reference: "a_PENDING" }), order({ reference: "b_PENDING" })];
    for (const sent of [one, other]) await rail.send(sent);
    expect(await bank.decide(one, "paid")).toBe(true);
    expect(await bank.decide(other, "refused")).toBe(true);
    expect(await rail.query(one)).toEqual(success);
    expect(await rail.query(other)).toEqual(answerFromNipCode("05"));
  });

  test("holds against an order that arrives later", async () => {
    const sent = order();
    expect(await bank.decide(sent, "refused")).toBe(true);
    expect(await rail.send(sent)).toEqual(answerFromNipCode("05"));
  });

  test("repeats what was decided and refuses the contrary", async () => {
    const sent = order();
    await rail.send(sent);
    expect(await bank.decide(sent, "paid")).toBe(true);
    expect(await bank.decide(sent, "refused")).toBe(false);
    expect(await bank.decide(sent, "reversed")).toBe(true);
    expect(await bank.decide(sent, "reversed")).toBe(true);
    expect(await booked(sent)).toMatchObject({ status: "reversed" });
  });
});

test("taking back what was never paid does nothing", async () => {
  const sent = order({ reference: "a_FAIL" });
  await rail.send(sent);
  expect(await bank.reverse(environmentId, sent.sessionId)).toBe(false);
  expect(await bank.reverse(environmentId, "0".repeat(30))).toBe(false);
});
