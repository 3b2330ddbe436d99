/** An endpoint that hangs, or is slow, or does not exist, must be its merchant's problem alone. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { answering, createReceiver, type Manner, silent } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, announce, createTestSender } from "../../../testing/webhooks/webhooks.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { createSequencer } from "../../platform/records/sequencer.ts";
import { startLoop } from "../../platform/work/background-loop.ts";

const app = await createTestApp();

async function createStage(manner: Manner, clock?: Readonly<Record<string, unknown>>) {
  const merchant = await createMerchant(app.db);
  const key = merchant.secretKey;
  if (clock !== undefined) await app.call("PUT", "/sandbox/clock", { key, body: clock });
  const receiver = await createReceiver(manner);
  const { id } = await addEndpoint(app, receiver.url, {}, key);
  const remove = () => app.call("DELETE", `/webhooks/endpoints/${id}`, { key });
  return { id, receiver, environmentId: merchant.environment.id, remove };
}

test("an endpoint that hangs holds few connections and delays nobody", async () => {
  const hanging = await createStage(silent);
  const healthy = await createStage(answering(200));
  await Promise.all(Array.from({ length: 300 }, () => announce(app, [1], undefined, hanging.environmentId)));
  const sender = createTestSender(app, { totalMs: 15_000 });
  const loops = [
    startLoop({ name: "sequencer", log: silentLog, step: createSequencer(app.db) }),
    startLoop({ name: "sender", log: silentLog, step: sender.round }),
  ];
  await eventually("the hanging endpoint holds messages", () => hanging.receiver.received.length > 0);
  await Promise.all(Array.from({ length: 300 }, () => announce(app, [1], undefined, healthy.environmentId)));
  await eventually("the healthy one has all", () => healthy.receiver.received.length === 300);
  // Not one of the hanging messages had to run out of time for that.
  expect(await errorsOf(hanging)).toEqual([]);
  expect(hanging.receiver.connections()).toBe(4);
  await Promise.all(loops.map((loop) => loop.stop()));
  await sender.close();
  await hanging.remove();
});

test("an endpoint that hangs takes nothing from one of the same id in another sandbox", async () => {
  const frozen = { mode: "frozen", now: "2026-03-02T08:00:00.000Z", seed: "alike" };
  const hanging = await createStage(silent, frozen);
  const healthy = await createStage(answering(200), frozen);
  expect(healthy.id).toBe(hanging.id);
  const sender = createTestSender(app, { totalMs: 15_000 });
  const announceTo = (environmentId: string) =>
    Promise.all(Array.from({ length: 20 }, () => announce(app, [1], undefined, environmentId)));
  await announceTo(hanging.environmentId);
  await createSequencer(app.db)();
  await sender.round();
  await eventually("the hanging endpoint holds all that it may", () => hanging.receiver.connections() === 4);
  await announceTo(healthy.environmentId);
  await createSequencer(app.db)();
  await eventually("the healthy one has all", async () => {
    await sender.round();
    return healthy.receiver.received.length === 20;
  });
  expect(await errorsOf(hanging)).toEqual([]);
  expect(hanging.receiver.connections()).toBe(4);
  await sender.close();
  await hanging.remove();
});

test("a message without an answer runs out of time, and the circuit opens", async () => {
  const hanging = await createStage(silent);
  await Promise.all(Array.from({ length: 20 }, () => announce(app, [1], undefined, hanging.environmentId)));
  const sender = createTestSender(app, { totalMs: 200, limits: { shortestPauseMs: 60_000, longestPauseMs: 60_000 } });
  await createSequencer(app.db)();
  for (let round = 0; round < 5; round += 1) {
    await sender.round();
    await sender.drain();
  }
  const errors = await errorsOf(hanging);
  expect(new Set(errors)).toEqual(new Set(["No answer came within 0.2 seconds."]));
  // Four at first, then one: five failures in a row.
  expect(errors).toHaveLength(5);
  await hanging.remove();
});

function errorsOf({ id, environmentId }: { id: string; environmentId: string }): Promise<string[]> {
  return inEnvironment(app.db, environmentId, async (tx) => {
    const found = await sql<{ error: string }>`
      select error from webhook_attempt_log where endpoint_id = ${id}`.execute(tx);
    return found.rows.map(({ error }) => error);
  });
}

test("a reply that never ends is acknowledged by its status", async () => {
  const drip = await createStage((reply) => void reply.writeHead(200).write("thanks"));
  await announce(app, [1], undefined, drip.environmentId);
  const sender = createTestSender(app);
  await createSequencer(app.db)();
  await eventually("it is sent", async () => {
    await sender.round();
    return drip.receiver.received.length === 1;
  });
  await sender.drain();
  const found = await inEnvironment(app.db, drip.environmentId, (tx) =>
    sql`select status, response_body from webhook_deliveries join webhook_attempt_log using (event_id)
      where webhook_deliveries.endpoint_id = ${drip.id}`.execute(tx),
  );
  expect(found.rows).toEqual([{ status: "delivered", response_body: "thanks" }]);
});

test("a reply of many megabytes is cut off", async () => {
  const flood = await createStage((reply) => {
    reply.writeHead(200);
    const pour = (): void => {
      while (!reply.destroyed && reply.write(Buffer.alloc(65_536, "x")));
      if (!reply.destroyed) reply.once("drain", pour);
    };
    pour();
  });
  await announce(app, [1], undefined, flood.environmentId);
  const sender = createTestSender(app);
  await createSequencer(app.db)();
  await eventually("it is sent", async () => {
    await sender.round();
    return flood.receiver.received.length === 1;
  });
  await sender.drain();
  const found = await inEnvironment(app.db, flood.environmentId, (tx) =>
    sql<{ length: number }>`select length(response_body) as length from webhook_attempt_log`.execute(tx),
  );
  expect(found.rows).toEqual([{ length: 2_048 }]);
});
