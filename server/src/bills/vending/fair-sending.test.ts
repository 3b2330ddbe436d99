/** Environments take turns at the worker for bills too. */
import { expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { readEnvironment } from "../../platform/database/database.ts";
import { createHandOver } from "../../platform/work/rounds.ts";
import type { BillerRail } from "../../rails/biller.ts";
import { deskOf } from "../../rails/desk.ts";
import { claimOrders } from "../../rails/order-queue.ts";
import { billQueue, findBill } from "./bill-store.ts";
import { createBillSender } from "./bills.job.ts";

const app = await createBillsApp();
const { call, db, groupCommit, merchant, otherMerchant } = app;
const neighbour = { key: otherMerchant.secretKey };
await call("POST", "/sandbox/wallets/fund", { ...neighbour, body: { amount: 10_000 } });

test("a claim brings the bill whole, as a reader finds it", async () => {
  const environmentId = merchant.environment.id;
  const { id } = (await app.vend("electricity")).json().data;
  const [claimed] = await claimOrders(db, billQueue, [{ environmentId, counterparty: "ikeja-electric", take: 5 }]);
  const order = await readEnvironment(db, environmentId, (tx) => findBill(tx, id));
  expect(claimed).toEqual({ environmentId, fresh: false, order });
});

test("a bill is vended while the same provider hangs in another sandbox with a long backlog", async () => {
  const orders: string[] = [];
  const rail: BillerRail = {
    ...app.rails.simulatedBiller.rail,
    vend: (order) => {
      orders.push(order.environmentId);
      const hangs = order.environmentId === merchant.environment.id;
      return hangs ? new Promise(() => undefined) : app.rails.simulatedBiller.rail.vend(order);
    },
  };
  const sending = { db, groupCommit, log: silentLog, rails: { biller: deskOf({ SANDBOX: rail, LIVE: null }) } };
  const rounds = createBillSender({ ...sending, vendingDesk: createHandOver() }, "SANDBOX");
  await Promise.all(Array.from({ length: 220 }, () => app.vend("airtime", { amount: 50 })));
  for (let count = 0; count < 5; count += 1) await rounds.round();
  const body = { network: "MTN", phoneNumber: "08031234567", amount: 100, reference: freshReference() };
  const { id } = (await call("POST", "/bills/airtime/vend", { ...neighbour, body })).json().data;
  await rounds.round();
  const read = async () => (await call("GET", `/bills/${id}`, neighbour)).json().data;
  await eventually("the neighbour's bill is vended", async () => (await read()).status === "successful");
  expect(orders.filter((environmentId) => environmentId === merchant.environment.id).length).toBeLessThan(220);
});
