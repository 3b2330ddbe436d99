/** A sandbox in which the bank or the biller takes no orders, as live ones do when a provider's float is empty. */
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { createMerchant } from "../../testing/factories.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../testing/keys.ts";
import { createLendingApp } from "../../testing/lending/loans.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { inEnvironment } from "../platform/database/database.ts";

const app = await createPayingApp();
const { call, pay, read, balance, work, db, merchant } = app;

const set = (port: string, body: unknown, key?: string) =>
  call("PUT", `/sandbox/rails/${port}`, { body, ...(key === undefined ? {} : { key }) });
const hold = async (port: string, reason?: string): Promise<void> => {
  expect((await set(port, { state: "held", reason })).statusCode).toBe(200);
};
const open = (port: string) => set(port, { state: "open" });

const nameEnquiry = "/transfers/name-enquiry?accountNumber=0690000032&bankCode=044";

const buyAirtime = () =>
  call("POST", "/bills/airtime/vend", {
    body: { phoneNumber: "08031234567", network: "MTN", amount: 500, reference: freshReference() },
  });

/** What was put off comes back after seconds of the real world, which no test waits for. */
async function endWaiting(table: "transfers" | "bills"): Promise<void> {
  await inEnvironment(db, merchant.environment.id, (tx) =>
    sql`update ${sql.table(table)} set claim_at = clock_timestamp() where claim_at > clock_timestamp()`.execute(tx),
  );
}

afterEach(async () => {
  await open("bank");
  await open("biller");
});

describe("PUT /sandbox/rails/{port}", () => {
  test("says how the rail is", async () => {
    const held = await set("bank", { state: "held", reason: "keys_refused" });
    expect(held.json()).toMatchObject({ status: true, message: "Rail set" });
    expect(held.json().data).toEqual({ port: "bank", state: "held", reason: "keys_refused" });
    expect((await open("bank")).json().data).toEqual({ port: "bank", state: "open", reason: null });
  });

  test("a hold without a reason is an empty float", async () => {
    expect((await set("biller", { state: "held" })).json().data.reason).toBe("float_empty");
  });

  test.each([
    ["another state", "bank", { state: "down" }],
    ["another reason", "bank", { state: "held", reason: "tired" }],
    ["no state", "bank", {}],
  ])("refuses %s", async (_, port, body) => {
    const reply = await set(port, body);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().code).toBe("validation_failed");
    expect((await pay()).statusCode).toBe(201);
  });

  test("knows no other rail", async () => {
    const reply = await set("card", { state: "held" });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().errors).toEqual([{ field: "port", message: "must be one of bank, biller" }]);
    expect((await set("x".repeat(41), { state: "held" })).json().code).toBe("not_found");
  });

  test("is for sandboxes, and for keys that may steer them", async () => {
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    expect((await set("bank", { state: "held" }, live)).json().code).toBe("sandbox_only");
    const reader = await issueKeyFor(db, merchant.environment.id, { scopes: ["sandbox:read"] });
    expect((await set("bank", { state: "held" }, reader)).json().code).toBe("scope_missing");
  });
});

describe("while the bank is held", () => {
  test("new payouts and name enquiries are refused, and no money is taken", async () => {
    const before = await balance();
    await hold("bank");
    const refused = await pay();
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: "unavailable" });
    expect(refused.headers["retry-after"]).toBe("60");
    expect((await call("GET", nameEnquiry)).statusCode).toBe(503);
    expect(await balance()).toEqual(before);
  });

  test("what was accepted before waits, and goes through when it opens", async () => {
    const { id } = (await pay()).json().data;
    await hold("bank");
    await work();
    expect((await read(id))["status"]).toBe("pending");
    await open("bank");
    await endWaiting("transfers");
    await work();
    expect((await read(id))["status"]).toBe("completed");
  });

  test("nothing of a long queue is sent, and all of it goes through afterwards", async () => {
    const references = Array.from({ length: 30 }, () => freshReference());
    for (const reference of references) await pay({ reference });
    await hold("bank");
    await work();
    const statuses = async () =>
      Promise.all(
        references.map(async (reference) => {
          const [found] = (await call("GET", `/transfers?reference=${reference}`)).json().data;
          return `${found.status} ${found.sessionId === null ? "unsent" : "sent"}`;
        }),
      );
    expect(new Set(await statuses())).toEqual(new Set(["pending unsent"]));
    await open("bank");
    await endWaiting("transfers");
    await work();
    expect(new Set(await statuses())).toEqual(new Set(["completed sent"]));
  });

  test("other sandboxes and bills go on", async () => {
    await hold("bank");
    const neighbour = await createMerchant(db);
    expect((await call("GET", nameEnquiry, { key: neighbour.secretKey })).statusCode).toBe(200);
    expect((await buyAirtime()).statusCode).toBe(201);
  });

  test("a payout that was sent already is asked about all the same", async () => {
    const { id } = (await pay({ reference: freshReference("_PENDING") })).json().data;
    await work();
    expect((await read(id))["status"]).toBe("processing");
    await hold("bank");
    await call("POST", `/sandbox/transfers/${id}/complete`);
    await work();
    expect((await read(id))["status"]).toBe("completed");
  });
});

describe("while the biller is held", () => {
  test("new bills are refused, and what was accepted before waits", async () => {
    const { reference } = (await buyAirtime()).json().data;
    await hold("biller", "not_enabled");
    await work();
    const status = async () => (await call("POST", "/bills/status", { body: { reference } })).json().data.status;
    expect(await status()).toBe("pending");
    expect((await buyAirtime()).json().code).toBe("unavailable");
    await open("biller");
    await endWaiting("bills");
    await work();
    expect(await status()).toBe("successful");
  });
});

describe("in a frozen sandbox", async () => {
  const frozen = await createLendingApp();
  const putBank = (state: string) => frozen.call("PUT", "/sandbox/rails/bank", { body: { state } });

  test("a loan waits for its money for days, and gets it when the bank opens", async () => {
    await putBank("held");
    const id = await frozen.request();
    await frozen.advance({ days: 3 });
    expect(await frozen.heard(id)).not.toContain("loan.disbursed");
    await putBank("open");
    await frozen.advance({ seconds: 7_200 });
    expect(await frozen.heard(id)).toContain("loan.disbursed");
  });

  test("a reset opens everything", async () => {
    await putBank("held");
    await frozen.call("POST", "/sandbox/reset");
    expect((await frozen.call("GET", nameEnquiry)).statusCode).toBe(200);
  });
});
