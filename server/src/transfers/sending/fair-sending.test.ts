/** Who waits for whom: environments take turns at the worker, and live ones have one of their own. */

import { expect, test } from "vitest";
import { createPayouts, type PayingEnvironment } from "../../../testing/payments/payouts.ts";
import { eventually } from "../../../testing/work.ts";
import type { BankRail } from "../../rails/bank.ts";
import { deskOf } from "../../rails/desk.ts";
import { claimOrders } from "../../rails/order-queue.ts";
import { transferQueue } from "../payouts/transfer-store.ts";

const { db, bank, openSandbox, openLive, sender } = await createPayouts();

/** Answers nobody but those it is told to; tells whose orders arrived. */
function hangingRail(answers: (environmentId: string) => boolean) {
  const orders: string[] = [];
  const send: BankRail["send"] = (order) => {
    orders.push(order.environmentId);
    return answers(order.environmentId) ? bank.rail.send(order) : new Promise(() => undefined);
  };
  return { orders, rail: { ...bank.rail, send } };
}

async function pile(environment: PayingEnvironment, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => environment.pay(`pile-${n}`, { bankCode: "058" })));
}

test("a claim brings the payout whole, as a reader finds it", async () => {
  const sandbox = await openSandbox();
  const { id } = await sandbox.pay("whole", { bankCode: "058" });
  const take = { environmentId: sandbox.environmentId, counterparty: "058", take: 5 };
  const [claimed, ...others] = await claimOrders(db, transferQueue, [take]);
  expect(others).toEqual([]);
  expect(claimed).toEqual({ environmentId: sandbox.environmentId, fresh: false, order: await sandbox.read(id) });
  expect(await claimOrders(db, transferQueue, [take])).toEqual([]);
});

test("a payout beside another sandbox's backlog is in the next batch", async () => {
  const [busy, neighbour] = [await openSandbox(), await openSandbox()];
  await pile(busy, 250);
  const { id } = await neighbour.pay("one");
  const rounds = sender(deskOf({ SANDBOX: bank.rail, LIVE: null }), "SANDBOX");
  await rounds.round();
  await rounds.drain();
  expect((await neighbour.read(id)).status).toBe("completed");
});

test("a bank that hangs in one sandbox hangs in no other", async () => {
  const [stuck, neighbour] = [await openSandbox(), await openSandbox()];
  const hanging = hangingRail((environmentId) => environmentId === neighbour.environmentId);
  const rounds = sender(deskOf({ SANDBOX: hanging.rail, LIVE: null }), "SANDBOX");
  await pile(stuck, 200);
  for (let count = 0; count < 10; count += 1) await rounds.round();
  await eventually("the bank has the first sandbox's orders", () => hanging.orders.length >= 16);
  const { id } = await neighbour.pay("same bank", { bankCode: "058" });
  await rounds.round();
  await eventually("the neighbour's is paid", async () => (await neighbour.read(id)).status === "completed");
});

test("a live payout is taken while sandboxes hold all they may, and by nobody else's rounds", async () => {
  const [sandbox, live] = [await openSandbox(), await openLive()];
  const hanging = hangingRail(() => false);
  const rails = deskOf({ SANDBOX: hanging.rail, LIVE: bank.rail });
  await pile(sandbox, 50);
  const { id } = await live.pay("live");
  const rounds = sender(rails, "SANDBOX");
  for (let count = 0; count < 5; count += 1) await rounds.round();
  expect((await live.read(id)).status).toBe("pending");
  const liveRounds = sender(rails, "LIVE");
  await liveRounds.round();
  await liveRounds.drain();
  expect((await live.read(id)).status).toBe("completed");
  expect(hanging.orders).toContain(sandbox.environmentId);
  expect(hanging.orders).not.toContain(live.environmentId);
});
