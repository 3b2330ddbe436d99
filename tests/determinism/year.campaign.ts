/**
 * A year of a loan, and the same year twice. How long a year takes is for `npm run bench advance` to say; here its
 * journeys to the database are counted, which no busy machine makes more of.
 */
import pg from "pg";
import { afterAll, describe, expect, test, vi } from "vitest";
import { sequenceEvents } from "../../server/src/platform/records/sequencer.ts";
import { createLendingApp, freeze } from "../../server/testing/lending/loans.ts";

// Before the first connection is opened, which keeps what it finds.
const sent = vi.spyOn(pg.Client.prototype, "query");
afterAll(() => sent.mockRestore());
const statements = () => sent.mock.calls.length;

const testing = await createLendingApp();
const { call, request, advance } = testing;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });

/** Every event of an environment in its order, to the byte. */
async function eventLog(environmentId: string): Promise<string> {
  await sequenceEvents(testing.db);
  const owner = new pg.Client({ connectionString: testing.ownerUrl });
  await owner.connect();
  const found = await owner.query<{ line: string }>(
    `select concat_ws(' ', list_position, id, event, resource_type, resource_id, resource_version, created_at, data)
       as line
     from events where environment_id = $1 order by list_position`,
    [environmentId],
  );
  await owner.end();
  return found.rows.map(({ line }) => line).join("\n");
}

async function post(path: string, body: unknown, key?: string): Promise<void> {
  const reply = await call("POST", path, { body, ...(key === undefined ? {} : { key }) });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
}

/** At least one for each instalment: none at all would say that nobody counted. */
function expectFew(played: number, most: number): void {
  expect(played).toBeGreaterThan(12);
  expect(played).toBeLessThan(most);
}

describe("a loan of twelve months with two missed payments", () => {
  test("is played out, with all its events, in few journeys to the database", async () => {
    const id = await request();
    let played = 0;
    const play = async (by: Readonly<Record<string, unknown>>) => {
      const before = statements();
      await advance(by);
      played += statements() - before;
    };
    await play({ seconds: 10 });
    const { repayment_schedules: plan } = (await testing.read(id)).loan_details;
    for (const { installment_number: number, due_date } of plan) {
      await play({ to: due_date });
      // The third and seventh instalments are missed, and made good with the next.
      if (number === 3 || number === 7) continue;
      const { repayment_schedules } = (await testing.read(id)).loan_details;
      const amount = repayment_schedules.slice(0, number).reduce((sum, { balance }) => sum + balance, 0);
      await post(`/loans/${id}/repayments`, { amount, reference: `${id} ${number}`, channel: "cash" });
    }
    const heard = await testing.heard(id);
    expect(heard.filter((event) => event !== "loan.repayment.successful")).toEqual([
      "loan.created",
      "loan.approved",
      "loan.disbursed",
      "loan.overdue",
      "loan.overdue",
      "loan.completed",
    ]);
    expect(heard).toHaveLength(6 + 10);
    expect((await testing.read(id)).loan_details).toMatchObject({ status: 5, balance: 0 });
    expectFew(played, 600);
  });

  test("ages by the clock alone in one advance, in few journeys to the database", async () => {
    const id = await request();
    const before = statements();
    await advance({ days: 400 });
    const played = statements() - before;
    const { loan_details } = await testing.read(id);
    expect(loan_details.repayment_schedules.map(({ status }) => status)).toEqual(Array(12).fill("overdue"));
    expect(loan_details.to_repay).toBe(loan_details.balance);
    expectFew(played, 400);
  });
});

/** The same story in any sandbox: two loans, a rejection, repayments, a reversal, an overdue instalment. */
async function play(key: string): Promise<void> {
  await freeze(testing, "2027-01-31T09:00:00.000Z", key);
  const ids: string[] = [];
  for (const changes of [
    {},
    { tenure: "3", bvn: "22987654321" },
    { bvn: "22123450000" },
    { account_number: "0000000000" },
  ]) {
    ids.push(await request(changes, key));
  }
  const [first = "", second = ""] = ids;
  await post("/sandbox/clock/advance", { days: 1 }, key);
  await post("/sandbox/wallets/fund", { amount: 500000 }, key);
  await post(`/loans/${first}/repayments`, { amount: 14800, reference: "one", channel: "wallet" }, key);
  await post(`/loans/${second}/repayments`, { amount: 500, reference: "two", channel: "cash" }, key);
  const [repayment] = (await call("GET", `/loans/${second}/repayments`, { key })).json().data;
  await post(`/loans/${second}/repayments/${repayment.id}/reverse`, { reason: "wrong" }, key);
  await post("/sandbox/clock/advance", { days: 60 }, key);
  await post(`/loans/${first}/repayments`, { amount: 200000, reference: "rest", channel: "cash" }, key);
}

describe("on a frozen clock the same inputs give the same event log", () => {
  const { secretKey, environment } = testing.merchant;

  test("byte for byte, when a sandbox is emptied and the story told again", async () => {
    await post("/sandbox/reset", undefined);
    await play(secretKey);
    const first = await eventLog(environment.id);
    await post("/sandbox/reset", undefined);
    await play(secretKey);
    const second = await eventLog(environment.id);
    expect(first.split("\n").length).toBeGreaterThan(15);
    expect(second).toBe(first);
  });

  test("in two sandboxes, but for the ids of their owners and products", async () => {
    const { secretKey: otherKey, environment: other, merchant } = testing.otherMerchant;
    await play(otherKey);
    const mine = await eventLog(environment.id);
    const theirs = await eventLog(other.id);
    const products = /"loan_type_detail":\{"id":"[0-9a-f-]{36}"/g;
    const wallets = /"accountId":"[0-9a-f-]{36}"/g;
    const bare = (log: string, owner: string) =>
      log.replaceAll(owner, "owner").replaceAll(products, "product").replaceAll(wallets, "wallet");
    expect(bare(theirs, merchant.id)).toBe(bare(mine, testing.merchant.merchant.id));
  });
});
