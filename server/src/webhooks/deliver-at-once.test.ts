import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { answering, createReceiver, silent } from "../../testing/webhooks/webhook-receiver.ts";
import {
  addEndpoint,
  announce,
  announceAtOnce,
  createTestSender,
  sendDue,
  writeAtOnce,
} from "../../testing/webhooks/webhooks.ts";
import { eventually } from "../../testing/work.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createDeliveryDesk } from "./deliver-at-once.ts";

const app = await createTestApp();
const most = 2;

/** An endpoint that the sender has met, and a sender that takes part. It is never asked for a round by itself. */
async function createStage({ mostAhead = 0 } = {}) {
  const { environment, secretKey } = await createMerchant(app.db);
  const receiver = await createReceiver();
  const { id: endpointId } = await addEndpoint(app, receiver.url, {}, secretKey);
  const desk = createDeliveryDesk();
  const limits = { first: most, most, mostAhead };
  const sender = createTestSender(app, { deliveryDesk: desk, limits, leaseSeconds: 60 });
  await announce(app, [1], undefined, environment.id);
  await sendDue(app, sender);
  await sender.round();
  receiver.received.length = 0;
  const deliveries = () =>
    inEnvironment(app.db, environment.id, async (tx) => {
      const found = await sql<{ status: string; inHand: boolean | null }>`
        select status, claim_at > clock_timestamp() as "inHand" from webhook_deliveries
        order by event_position offset 1`.execute(tx);
      return found.rows;
    });
  const write = (...events: { resourceId: string; version?: number }[]) =>
    announceAtOnce(app, desk, environment.id, events);
  const read = (path: string, method: "GET" | "POST" = "GET") => app.call(method, path, { key: secretKey, body: {} });
  return { environmentId: environment.id, receiver, endpointId, desk, sender, deliveries, write, read };
}

const some = () => ({ resourceId: randomUUID() });

test("goes out with the commit, is in nobody else's queue, and has the bytes that any other sending has", async () => {
  const { receiver, sender, deliveries, write, read } = await createStage();
  const [id] = await write(some());
  await eventually("it came", () => receiver.received.length === 1);
  await eventually("it is written down", async () => (await deliveries())[0]?.status === "delivered");
  await read(`/events/${id}/redeliver`, "POST");
  await sendDue(app, sender);
  const [first, again] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect(again?.body).toBe(first?.body);
  expect(first?.headers["webhook-id"]).toBe(id);
});

test("has no more under way than there is room for; the others wait in the queue", async () => {
  const { receiver, sender, deliveries, write } = await createStage();
  receiver.behave(silent);
  await write(some(), some(), some());
  await write(some());
  await eventually("two came", () => receiver.received.length === most);
  expect((await deliveries()).map(({ inHand }) => inHand)).toEqual([true, true, false, false]);
  expect(receiver.connections()).toBe(most);
  await sender.close();
});

test("some more are in hand and wait: no more go at once, and all arrive in their order", async () => {
  const { receiver, deliveries, write } = await createStage({ mostAhead: 2 });
  const held: (() => void)[] = [];
  receiver.behave((reply) => held.push(() => reply.writeHead(200).end()));
  const all = Array.from({ length: 5 }, some);
  await write(...all);
  await eventually("two came", () => receiver.received.length === most);
  expect((await deliveries()).map(({ inHand }) => inHand)).toEqual([true, true, true, true, false]);
  expect(receiver.connections()).toBe(most);
  held.shift()?.();
  await eventually("the next came", () => receiver.received.length === most + 1);
  receiver.behave(answering(200));
  for (const answer of held) answer();
  await eventually("four arrived", async () => {
    const delivered = (await deliveries()).filter(({ status }) => status === "delivered");
    return delivered.length === 4;
  });
});

test("keeps the order of a resource: the later ones wait for the first", async () => {
  const { receiver, sender, deliveries, write } = await createStage();
  const resourceId = randomUUID();
  await write({ resourceId, version: 1 }, { resourceId, version: 2 });
  await write({ resourceId, version: 3 });
  await eventually("the first came", () => receiver.received.length > 0);
  await sendDue(app, sender);
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.version)).toEqual([1, 2, 3]);
  expect((await deliveries()).map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"]);
});

test("a batch that is taken back sends nothing and gives its room back", async () => {
  const { environmentId, receiver, endpointId, desk, deliveries, write } = await createStage();
  for (let time = 0; time < 5; time += 1) {
    const takenBack = inEnvironment(app.db, environmentId, async (tx) => {
      await writeAtOnce(tx, desk, [some(), some()]);
      expect(desk.reserve("SANDBOX", environmentId, 1)).toBeUndefined();
      throw new Error("taken back");
    });
    await expect(takenBack).rejects.toThrow("taken back");
  }
  expect(await deliveries()).toEqual([]);
  const reservation = desk.reserve("SANDBOX", environmentId, 10);
  expect(reservation?.rooms).toEqual(new Map([[`${environmentId}/${endpointId}`, most]]));
  reservation?.release();
  await write(some());
  await eventually("it came", () => receiver.received.length === 1);
});

test("an endpoint that fails gets nothing at once, nor does anybody once the sender has left", async () => {
  const { environmentId, receiver, desk, sender, deliveries, write } = await createStage();
  await sender.drain();
  await write(some());
  expect((await deliveries()).map(({ inHand }) => inHand)).toEqual([false]);
  receiver.behave(answering(500));
  await sendDue(app, sender);
  await sender.round();
  expect(desk.reserve("SANDBOX", environmentId, 1)).toBeUndefined();
});

test("whose process ends before it is sent comes with another worker when the claim runs out, and once", async () => {
  const { environmentId, receiver, endpointId, desk, sender, write } = await createStage();
  await sender.drain();
  const gone = { release: () => undefined, start: () => undefined };
  desk.join({
    reserve: () => ({ rooms: new Map([[`${environmentId}/${endpointId}`, 9]]), leaseSeconds: 60, ...gone }),
  });
  const [id] = await write(some());
  desk.leave();
  await sendDue(app, sender);
  expect(receiver.received).toEqual([]);
  await inEnvironment(app.db, environmentId, (tx) =>
    sql`update webhook_deliveries set claim_at = clock_timestamp() where event_id = ${id}`.execute(tx),
  );
  await sendDue(app, sender);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id]);
});
