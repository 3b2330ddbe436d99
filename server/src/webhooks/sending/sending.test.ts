import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { answering, createReceiver } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, announce, createTestSender, sendDue } from "../../../testing/webhooks/webhooks.ts";
import { readEnvironment } from "../../platform/database/database.ts";

const app = await createTestApp();
const environmentId = app.merchant.environment.id;

interface DeliveryRow {
  readonly status: string;
  readonly attempts: number;
  readonly waits: boolean;
}

function rows<T>(query: ReturnType<typeof sql<T>>): Promise<T[]> {
  return readEnvironment(app.db, environmentId, async (tx) => (await query.execute(tx)).rows);
}

function deliveriesTo(endpointId: string): Promise<DeliveryRow[]> {
  return rows(sql<DeliveryRow>`select status, attempts, waits from webhook_deliveries
    where endpoint_id = ${endpointId} order by event_position`);
}

describe("a message", () => {
  test("is signed so that the Standard Webhooks library accepts it, and equals the event in the log", async () => {
    const receiver = await createReceiver();
    const { secret } = await addEndpoint(app, receiver.url);
    const [eventId] = await announce(app, [1]);
    await sendDue(app, createTestSender(app));
    const [message] = receiver.received;
    if (message === undefined) throw new Error("nothing came");
    const read = new Webhook(secret).verify(message.body, { ...message.headers });
    const log = await app.call("GET", `/events/${eventId}`);
    expect(read).toEqual(log.json().data);
    expect(Object.keys(read as object)).toEqual([
      "id",
      "event",
      "created_at",
      "environment",
      "resource_version",
      "data",
    ]);
    expect(message.headers).toMatchObject({
      "webhook-id": eventId,
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^Jara-Webhooks\//),
      "accept-encoding": "identity",
    });
    expect(Math.abs(Number(message.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(5);
  });

  test("is recorded with its answer, of which the first 2 KiB are kept", async () => {
    const receiver = await createReceiver(answering(201, {}, `${"a\0".repeat(1_000)}${"b".repeat(5_000)}`));
    const { id } = await addEndpoint(app, receiver.url);
    await announce(app);
    await sendDue(app, createTestSender(app));
    const attempts = await rows(sql`select response_status, duration_ms >= 0 as timed, response_body, error
      from webhook_attempt_log where endpoint_id = ${id}`);
    const kept = "a".repeat(1_000) + "b".repeat(48);
    expect(attempts).toEqual([{ response_status: 201, timed: true, response_body: kept, error: null }]);
    expect(await deliveriesTo(id)).toEqual([{ status: "delivered", attempts: 1, waits: false }]);
  });

  test("goes over a connection that stays open", async () => {
    const receiver = await createReceiver();
    await addEndpoint(app, receiver.url);
    const sender = createTestSender(app);
    for (let round = 0; round < 5; round += 1) {
      await announce(app);
      await sendDue(app, sender);
    }
    expect(receiver.received).toHaveLength(5);
    expect(receiver.connections()).toBe(1);
  });

  test("is the same to the byte at every try", async () => {
    const receiver = await createReceiver(answering(500));
    const { id } = await addEndpoint(app, receiver.url);
    const [eventId = ""] = await announce(app);
    const sender = createTestSender(app);
    await sendDue(app, sender);
    await app.call("POST", `/events/${eventId}/redeliver`, { body: { endpointId: id } });
    await sendDue(app, sender);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });
});

describe("an endpoint", () => {
  test("is sent the events that it asks for, each once", async () => {
    const receiver = await createReceiver();
    const other = await createReceiver();
    await addEndpoint(app, receiver.url, { events: ["transfer.completed"] });
    await addEndpoint(app, other.url, { events: ["transfer.failed"] });
    const ids = await announce(app, [1, 2, 3]);
    const [one, two] = [createTestSender(app), createTestSender(app)];
    await Promise.all([sendDue(app, one), sendDue(app, two)]);
    await sendDue(app, one);
    expect(receiver.received.map((message) => message.headers["webhook-id"])).toEqual(ids);
    expect(other.received).toEqual([]);
  });

  test("of another merchant is sent nothing", async () => {
    const receiver = await createReceiver();
    await addEndpoint(app, receiver.url, {}, app.otherMerchant.secretKey);
    await announce(app);
    await sendDue(app, createTestSender(app));
    expect(receiver.received).toEqual([]);
  });

  test("that redirects fails, and the other address is not called", async () => {
    const target = await createReceiver();
    const receiver = await createReceiver(answering(307, { location: target.url }));
    const { id } = await addEndpoint(app, receiver.url);
    await announce(app);
    await sendDue(app, createTestSender(app));
    expect(target.connections()).toBe(0);
    const [attempt] = await rows(sql<{ response_status: number; error: string }>`
      select response_status, error from webhook_attempt_log where endpoint_id = ${id}`);
    expect(attempt).toMatchObject({ response_status: 307, error: expect.stringMatching(/^Redirects/) });
  });
});

describe("the order of a resource", () => {
  test("holds although many events are sent at once", async () => {
    const receiver = await createReceiver();
    await addEndpoint(app, receiver.url);
    const resources = Array.from({ length: 8 }, () => randomUUID());
    for (const versions of [
      [1, 2, 3],
      [4, 5],
    ])
      await Promise.all(resources.map((resource) => announce(app, versions, resource)));
    const senders = [createTestSender(app), createTestSender(app)];
    await Promise.all(senders.map((sender) => sendDue(app, sender)));
    const seen = receiver.received.map(({ body }) => JSON.parse(body).data as { id: string; version: number });
    for (const resource of resources) {
      const versions = seen.filter(({ id }) => id === resource).map(({ version }) => version);
      expect(versions, resource).toEqual([1, 2, 3, 4, 5]);
    }
  });
});

test("a busy endpoint is sent everything, each record's events in their order", async () => {
  const receiver = await createReceiver();
  await addEndpoint(app, receiver.url);
  const records = Array.from({ length: 80 }, () => randomUUID());
  await Promise.all(records.map((id) => announce(app, [1, 2, 3], id)));
  await sendDue(app, createTestSender(app, { limits: { first: 64 } }));
  const versions = Map.groupBy(
    receiver.received.map(({ body }) => JSON.parse(String(body)).data),
    ({ id }) => id,
  );
  expect(records.map((id) => versions.get(id)?.map(({ version }) => version))).toEqual(records.map(() => [1, 2, 3]));
});
