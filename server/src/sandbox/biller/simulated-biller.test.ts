import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { kobo } from "../../money/kobo.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { VendOrder } from "../../rails/biller.ts";
import { vendReversalTask } from "./reverse-vend.ts";
import { createSimulatedBiller } from "./simulated-biller.ts";
import { findVend, moveVend, recordVends } from "./simulated-biller-store.ts";
import { statusesBefore, vendTransitions } from "./simulated-vend.ts";

const { db, pool, ownerUrl } = await createTestDatabase();
const biller = createSimulatedBiller({ pool, db });
const { rail } = biller;
const environmentId = (await createMerchant(db)).environment.id;
const other = (await createMerchant(db)).environment.id;
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

let made = 0;

function order(change: Partial<VendOrder> = {}): VendOrder {
  made += 1;
  return {
    environmentId,
    requestId: `00000000-0000-7000-8000-${String(made).padStart(12, "0")}`,
    category: "electricity",
    provider: "ikeja-electric",
    customer: "45012345678",
    meterType: "prepaid",
    productCode: "ikeja-electric-prepaid",
    subscriptionType: null,
    amount: kobo(500_000n),
    phoneNumber: null,
    reference: `r-${made}`,
    ...change,
  };
}

async function booked({ environmentId: sandbox, requestId }: VendOrder) {
  const found = await findVend(pool, sandbox, requestId);
  return found === undefined ? undefined : { status: found.status, attempts: found.attempts };
}

const success = { outcome: "success", delivery: expect.objectContaining({ receiptNumber: expect.any(String) }) };
const refusal = { outcome: "failure", code: "vend_refused", message: expect.any(String) };

describe("an order", () => {
  test("is delivered once however many arrive at the same time, with one token", async () => {
    const sent = order();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rail.vend(sent)));
    expect(answers[0]).toMatchObject({ outcome: "success", delivery: { token: expect.stringMatching(/^\d{20}$/) } });
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await booked(sent)).toEqual({ status: "delivered", attempts: 10 });
    expect(await rail.query(sent)).toEqual(answers[0]);
  });

  test.each([
    ["_FAIL", refusal, refusal, "refused"],
    [
      "_PENDING",
      { outcome: "unknown", code: "in_progress" },
      { outcome: "unknown", code: "in_progress" },
      "in_progress",
    ],
    ["_TIMEOUT", { outcome: "unknown", code: null }, success, "delivered"],
    ["_REVERSE", success, success, "delivered"],
    ["_fail", success, success, "delivered"],
    ["_FAIL_NOT", success, success, "delivered"],
  ])("whose reference ends in %s is played", async (ending, answer, later, status) => {
    const sent = order({ reference: `order${ending}` });
    expect(await rail.vend(sent)).toEqual(answer);
    expect(await rail.query(sent)).toEqual(later);
    expect(await booked(sent)).toEqual({ status, attempts: 1 });
  });

  test("that never arrived has no record, nor has another sandbox's", async () => {
    const sent = order();
    expect(await rail.query(sent)).toEqual({ outcome: "no_record" });
    await rail.vend(sent);
    expect(await rail.query({ ...sent, environmentId: other })).toEqual({ outcome: "no_record" });
  });

  test("that will be taken back has its reversal booked three seconds ahead", async () => {
    const sent = order({ reference: "a_REVERSE" });
    const before = Date.now();
    await rail.vend(sent);
    const entries = await inEnvironment(db, environmentId, (tx) =>
      tx.selectFrom("agenda").select(["kind", "due_at"]).where("subject", "=", sent.requestId).execute(),
    );
    expect(entries).toMatchObject([{ kind: vendReversalTask }]);
    const dueAt = entries[0]?.due_at.getTime() ?? 0;
    expect(dueAt - before).toBeGreaterThan(2_900);
    expect(dueAt - Date.now()).toBeLessThanOrEqual(3_100);
  });

  test("whose reversal came due before it was delivered is taken back all the same", async () => {
    const sent = order({ reference: "b_REVERSE" });
    const bookings = (): Promise<number> =>
      owner
        .query("select from agenda where kind = $1 and subject = $2", [vendReversalTask, sent.requestId])
        .then(({ rowCount }) => rowCount ?? 0);
    await owner.query("begin");
    await owner.query("lock table simulated_biller.vends in exclusive mode");
    const answer = rail.vend(sent);
    await expect.poll(bookings).toBe(1);
    // What the agenda does when the booking's time has come.
    await owner.query("delete from agenda where kind = $1 and subject = $2", [vendReversalTask, sent.requestId]);
    await owner.query("commit");
    expect(await answer).toEqual(success);
    expect(await bookings()).toBe(1);
    // A kill kept it from being booked again: then there was no answer either, and it is asked for.
    await owner.query("delete from agenda where kind = $1 and subject = $2", [vendReversalTask, sent.requestId]);
    expect(await rail.query(sent)).toEqual(success);
    expect(await bookings()).toBe(1);
  });

  test("gives units for what is left after VAT, and none to a postpaid meter", async () => {
    expect(await rail.vend(order())).toMatchObject({ delivery: { units: "22.20" } });
    expect(await rail.vend(order({ meterType: "postpaid" }))).toMatchObject({ delivery: { token: null, units: null } });
  });
});

describe("deciding", () => {
  test("ends a vend in progress either way, and holds against an order that arrives later", async () => {
    const [one, two, three] = [order({ reference: "a_PENDING" }), order({ reference: "b_PENDING" }), order()];
    for (const sent of [one, two]) await rail.vend(sent);
    expect(await biller.decide(one, "delivered")).toMatchObject({ token: expect.any(String) });
    expect(await biller.decide(two, "refused")).not.toBeNull();
    expect(await biller.decide(three, "refused")).not.toBeNull();
    expect(await rail.query(one)).toEqual(success);
    expect(await rail.query(two)).toEqual(refusal);
    expect(await rail.vend(three)).toEqual(refusal);
  });

  test("repeats what was decided and refuses the contrary", async () => {
    const sent = order();
    await rail.vend(sent);
    expect(await biller.decide(sent, "delivered")).not.toBeNull();
    expect(await biller.decide(sent, "refused")).toBeNull();
    expect(await biller.decide(sent, "reversed")).not.toBeNull();
    expect(await biller.reverse(environmentId, sent.requestId)).toBe(true);
    expect(await booked(sent)).toMatchObject({ status: "reversed" });
  });

  test("taking back what was never delivered does nothing", async () => {
    const sent = order({ reference: "a_FAIL" });
    await rail.vend(sent);
    expect(await biller.reverse(environmentId, sent.requestId)).toBe(false);
    expect(await biller.reverse(environmentId, order().requestId)).toBe(false);
  });
});

describe("the books", () => {
  const statuses = keysOf(vendTransitions);

  test("allow the states of the table of transitions", async () => {
    const found = await owner.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = 'simulated_biller.vends'::regclass and conname = 'vends_status_check'`,
    );
    const allowed = [...(found.rows[0]?.definition ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1]);
    expect(allowed.sort()).toEqual([...statuses].sort());
  });

  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    "move from %s to %s only if the table says so",
    async (from, to) => {
      const sent = order();
      await recordVends(pool, sent.environmentId, [{ ...sent, recording: { status: from, deliversAt: null } }]);
      const after = await moveVend(pool, environmentId, sent.requestId, to);
      expect(after?.status).toBe(statusesBefore(to).includes(from) ? to : from);
    },
  );
});

describe("customers", () => {
  const ask = (change: Partial<VendOrder>) => rail.validate(order(change));

  test("have the same name every time, and networks tell none", async () => {
    const meter = await ask({});
    expect(meter).toEqual(await ask({}));
    expect(meter).not.toEqual(await ask({ customer: "45012345679" }));
    expect(await ask({ category: "airtime", provider: "MTN", customer: "+2348031234567" })).toEqual({
      found: "yes",
      customer: { name: null, address: null, subscription: null, renewalAmount: null },
    });
  });

  test.each([
    ["tv", "0000000000", "no"],
    ["tv", "00000000000", "no"],
    ["betting", "0000", "no"],
    ["betting", "00000", "yes"],
    ["tv", "7000000000", "yes"],
    ["electricity", "00000000000", "yes"],
  ] as const)("%s %s is found: %s", async (category, customer, found) => {
    expect(await ask({ category, provider: "dstv", customer })).toMatchObject({ found });
  });
});
