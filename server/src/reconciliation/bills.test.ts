/** Bills are compared order by order: VTpass has no list. */
import { beforeEach, expect, test } from "vitest";
import { kindsOf } from "../../testing/providers/compared-days.ts";
import { createReconciledApp } from "../../testing/providers/reconciled-app.ts";
import { startVtpassTwin, vtpassKeys } from "../../testing/providers/vtpass-twin.ts";
import { kobo } from "../money/kobo.ts";

const app = await createReconciledApp();
const { operate, callLive, owner, work, compare } = app;
const twin = app.keep(await startVtpassTwin());
const connection = await app.connect({
  provider: "vtpass",
  name: "VTpass",
  mode: "live",
  baseUrl: twin.baseUrl,
  credentials: vtpassKeys,
});
await operate("PUT", "/operator/routes/biller", { connections: [connection] });

let days = 0;
let date = "";
let made = 0;
beforeEach(() => {
  days += 1;
  date = String(Temporal.PlainDate.from("2026-01-01").add({ days: days * 3 }));
  twin.behave();
  twin.books.told.behave();
});

/** A bill of the test's day, and the id by which VTpass knows it. */
async function vend(amount = 1_000): Promise<{ readonly id: string; readonly requestId: string }> {
  made += 1;
  // VTpass takes the same service for the same customer once in 30 seconds.
  const phoneNumber = `0803${String(1_000_000 + made)}`;
  const body = { network: "MTN", phoneNumber, amount, reference: `bill-${made}` };
  const reply = await callLive("POST", "/bills/airtime/vend", body);
  expect(reply.statusCode, reply.body).toBe(201);
  const { id } = reply.json().data;
  await work("bill sender LIVE");
  const { rail } = (await operate("GET", `/operator/bills/${id}`)).json().data;
  await owner(`update bills set sent_at = '${date}T12:00:00+01:00' where id = '${id}'`);
  return { id, requestId: rail.orderId };
}

test("a day on which VTpass delivered what we sold is clean", async () => {
  await vend();
  await vend(2_000);
  twin.fates.push("failed");
  await vend();
  const run = await compare(connection, date);
  expect(run).toMatchObject({ state: "clean", counts: { orders: 3, records: 3, agreed: 3 } });
  expect(run.totals).toMatchObject([{ kind: "vend", orders: 3_000, ledger: 3_000, provider: 3_000 }]);
});

test.each([
  ["has no record of it", "missing_at_provider", (id: string) => twin.books.told.lose(id)],
  [
    "sold it for another amount",
    "amount_differs",
    (id: string) => twin.books.told.change(id, { amount: kobo(50_000n) }),
  ],
  ["reversed it", "status_differs", (id: string) => twin.books.told.change(id, { state: "reversed" })],
  ["says that it failed", "status_differs", (id: string) => twin.books.told.change(id, { state: "failed" })],
  ["says that it is pending", "status_differs", (id: string) => twin.books.told.change(id, { state: "pending" })],
] as const)("a delivered bill is an exception when VTpass %s", async (_, kind, plant) => {
  const { id, requestId } = await vend();
  await vend();
  plant(requestId);
  const run = await compare(connection, date);
  expect(kindsOf(run)).toEqual([kind]);
  expect(run.exceptions).toMatchObject([{ ours: { type: "bill", id, orderId: requestId, ledger: 1_000 } }]);
});

test("a bill that failed with us and was delivered after all is an exception", async () => {
  twin.fates.push("failed");
  const { requestId } = await vend();
  twin.books.told.change(requestId, { state: "delivered" });
  expect(kindsOf(await compare(connection, date))).toEqual(["status_differs"]);
});

test("a VTpass that cannot be asked about one bill gives a failed run", async () => {
  await vend();
  await vend();
  twin.misbehave([null, "bad_gateway_after"], "POST /api/requery");
  const run = await compare(connection, date);
  expect(run).toMatchObject({ state: "failed", failure: { code: "provider_unreadable" }, exceptions: [] });
});

test("every bill of the day is asked about once", async () => {
  for (let n = 0; n < 6; n += 1) await vend();
  const before = twin.count("POST /api/requery");
  expect(await compare(connection, date)).toMatchObject({ state: "clean", counts: { agreed: 6 } });
  expect(twin.count("POST /api/requery") - before).toBe(6);
});
