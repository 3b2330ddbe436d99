/** A year of a loan in seconds, and the same year twice. */
import pg from "pg";
import { describe, expect, test } from "vitest";
import { createLendingApp, freeze } from "../../testing/lending/loans.ts";
import { quickest } from "../../testing/work.ts";
import { sequenceEvents } from "../platform/records/sequencer.ts";

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

describe("a loan of twelve months with two missed payments", () => {
  /** Returns how long its advances took, in milliseconds. */
  async function playYear(): Promise<number> {
    const id = await request();
    let playedMs = 0;
    const play = async (by: Readonly<Record<string, unknown>>) => {
      const began = performance.now();
      await advance(by);
      playedMs += performance.now() - began;
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
    return playedMs;
  }

  test("is played out, with all its events, in less than two seconds", async () => {
    expect(await quickest(2_000, playYear)).toBeLessThan(2_000);
  });

  test("ages by the clock alone in one advance, in less than two seconds", async () => {
    const age = async () => {
      const id = await request();
      const began = performance.now();
      await advance({ days: 400 });
      const tookMs = performance.now() - began;
      const { loan_details } = await testing.read(id);
      expect(loan_details.repayment_schedules.map(({ status }) => status)).toEqual(Array(12).fill("overdue"));
      expect(loan_details.to_repay).toBe(loan_details.balance);
      return tookMs;
    };
    expect(await quickest(2_000, age)).toBeLessThan(2_000);
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
