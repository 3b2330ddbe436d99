/**
 * Three rules of every payment, each seen from outside the code that keeps it: an order ends once, whoever brings its
 * outcome; a rail hears of nothing that is not committed; and money is on the disk before anybody is answered.
 */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createPayingApp, freshReference } from "../testing/payments/paying-app.ts";
import { tamperedDesk } from "../testing/tampered-desk.ts";
import { asOwner, eventually } from "../testing/work.ts";
import type { SettleCommand as EndOfBill } from "./bills/vending/bill-store.ts";
import { settleBill } from "./bills/vending/settle-bill.ts";
import { createGroupCommit } from "./ledger/group-commit.ts";
import { createDatabase, createPool, inEnvironment } from "./platform/database/database.ts";
import { house } from "./start/slices.ts";
import type { SettleCommand as EndOfTransfer } from "./transfers/sending/settle-transfer.ts";
import { settleTransfer } from "./transfers/sending/settle-transfer.ts";

/** What rails were told, with the state that another connection saw the order in at that moment. */
const heard: { readonly kind: "payout" | "bill"; readonly id: string; readonly committed: string | undefined }[] = [];
let watch: pg.Pool | undefined;
afterAll(() => watch?.end());

async function committedState(table: string, column: string, id: string): Promise<string | undefined> {
  const found = await watch?.query<{ status: string }>(`select status from ${table} where ${column} = $1`, [id]);
  return found?.rows[0]?.status;
}

const app = await createPayingApp({
  tamper: (rails) => ({
    ...rails,
    bank: tamperedDesk(rails.bank, (rail) => ({
      ...rail,
      send: async (order) => {
        const { sessionId: id } = order;
        heard.push({ kind: "payout", id, committed: await committedState("transfers", "session_id", id) });
        return rail.send(order);
      },
    })),
    biller: tamperedDesk(rails.biller, (rail) => ({
      ...rail,
      vend: async (order) => {
        const { requestId: id } = order;
        heard.push({ kind: "bill", id, committed: await committedState("bills", "request_id", id) });
        return rail.vend(order);
      },
    })),
  }),
});
const { call, db, pay, merchant } = app;
const environmentId = merchant.environment.id;
// The role that looks across environments: row security binds the owner, too.
watch = new pg.Pool({ connectionString: app.ownerUrl, max: 4, options: "-c role=jara_lookup" });
watch.on("error", () => undefined);

const vend = async (reference = freshReference()): Promise<string> => {
  const body = { network: "MTN", phoneNumber: "08031234567", amount: 500, reference };
  return (await call("POST", "/bills/airtime/vend", { body })).json().data.id;
};
const payOut = async (reference = freshReference()): Promise<string> => (await pay({ reference })).json().data.id;
const verify = () => inEnvironment(db, environmentId, (tx) => house.verify(tx));

describe("an order whose outcome comes from several servers at once", () => {
  const server = () => {
    const pool = createPool({ url: app.appUrl, poolSize: 6 });
    const own = createDatabase(pool);
    const groupCommit = createGroupCommit({ db: own, sealer: app.dependencies.sealer, slots: 4 });
    afterAll(async () => {
      await groupCommit.drain();
      await own.destroy();
    });
    return groupCommit;
  };
  const servers = [server(), server()];
  const copies = [0, 1, 2];
  const step = { from: "processing", failure: null } as const;
  // The outcome is the simulated rail's word, so it stands in its books as well.
  const record = (change: ReturnType<typeof sql>) => inEnvironment(db, environmentId, (tx) => change.execute(tx));

  /** How often each of them won, each being told three times by each server. */
  async function settleAtOnce(ids: readonly string[], settle: (server: number, id: string) => Promise<unknown>) {
    const told = ids.flatMap((id) => servers.flatMap((_, index) => copies.map(() => ({ id, index }))));
    const won = await Promise.all(told.map(async ({ id, index }) => ((await settle(index, id)) === null ? [] : [id])));
    return won.flat().toSorted();
  }

  test("ends once: payouts", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => payOut(freshReference("_PENDING"))));
    await app.work();
    await record(sql`update simulated_bank.payments set status = 'paid' where status = 'in_progress'`);
    const command = (id: string): EndOfTransfer => ({ ...step, id, to: "completed" });
    const won = await settleAtOnce(ids, async (index, id) =>
      servers[index]?.submit(environmentId, settleTransfer, command(id)),
    );
    expect(won).toEqual(ids.toSorted());
    expect(await verify()).toEqual([]);
  });

  test("ends once: bills", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => vend(freshReference("_PENDING"))));
    await app.work();
    await record(sql`update simulated_biller.vends set status = 'delivered' where status = 'in_progress'`);
    const delivery = { token: null, units: null, receiptNumber: null };
    const command = (id: string): EndOfBill => ({ ...step, id, to: "successful", delivery });
    const won = await settleAtOnce(ids, async (index, id) =>
      servers[index]?.submit(environmentId, settleBill, command(id)),
    );
    expect(won).toEqual(ids.toSorted());
    expect(await verify()).toEqual([]);
  });

  test("is sent once by workers that take it up at the same moment", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => payOut()));
    heard.length = 0;
    await Promise.all([app.work(), app.work(), app.work()]);
    const sent = heard.filter(({ kind }) => kind === "payout").map(({ id }) => id);
    expect(sent).toHaveLength(new Set(sent).size);
    for (const id of ids) await eventually("it is paid", async () => (await app.read(id))["status"] === "completed");
  });
});

describe("a rail", () => {
  /** A commit that takes long: whoever does not wait for it is seen. */
  const slowly = (table: string) =>
    asOwner(
      app.ownerUrl,
      `create or replace function commit_slowly() returns trigger language plpgsql as
         $$ begin perform pg_sleep(0.15); return null; end $$;
       create constraint trigger commit_slowly after insert or update of status on ${table}
         deferrable initially deferred for each row execute function commit_slowly();`,
    );

  test.each([
    ["payout", "transfers", "transfer sender SANDBOX", payOut],
    ["bill", "bills", "bill sender SANDBOX", vend],
  ] as const)("hears of no %s that is not committed as under way", async (kind, table, sender, order) => {
    await slowly(table);
    heard.length = 0;
    await order();
    // A round takes what waits, and what is accepted from then on goes straight to the worker of this process.
    await app.tasks.loops.find(({ name }) => name === sender)?.step();
    await order();
    await eventually("both were sent", () => heard.length === 2);
    await app.work();
    await asOwner(app.ownerUrl, `drop trigger commit_slowly on ${table}`);
    expect(heard.filter((each) => each.kind === kind)).toHaveLength(2);
    expect(new Set(heard.map(({ committed }) => committed))).toEqual(new Set(["processing"]));
  });
});

describe("a commit that moves money", () => {
  /** The cluster of the tests waits for no disk; what a transaction itself turns off has another source. */
  const recording = `
    create table commits (source text, what text);
    grant insert, select on commits to public;
    create function record_commit() returns trigger language plpgsql as $$ begin
      insert into commits select source, tg_table_name from pg_settings where name = 'synchronous_commit';
      return null; end $$;`;
  const tables = ["ledger_transactions", "transfers", "bills", "reference_claims", "idempotency_keys", "agenda"];

  test("waits for the disk: payouts, bills, funding, and their outcomes", async () => {
    const triggers = tables.map(
      (table) => `create constraint trigger record_commit after insert or update on ${table}
        deferrable initially deferred for each row execute function record_commit();`,
    );
    await asOwner(app.ownerUrl, [recording, ...triggers].join("\n"));
    const headers = { "idempotency-key": "durable-1" };
    expect((await pay({ reference: freshReference() }, { headers })).statusCode).toBe(201);
    await payOut(freshReference("_PENDING"));
    await vend();
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 100 } });
    await app.work();
    const found = await sql<{ source: string; tables: string[] }>`
      select source, array_agg(distinct what order by what) as tables from commits group by source`.execute(db);
    const inherited = await sql<{ source: string }>`
      select source from pg_settings where name = 'synchronous_commit'`.execute(db);
    expect(found.rows).toEqual([{ source: inherited.rows[0]?.source, tables: tables.toSorted() }]);
  });
});
