import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import { recordArrivals } from "../deliveries/delivery-store.ts";
import { insertEndpoint, lockEndpointRow, markDeleted, updateEndpoint } from "../endpoints/endpoint-store.ts";

const testing = await createTestApp();
const { db, call } = testing;

async function createReceiver() {
  const { environment, secretKey } = await createMerchant(db);
  const environmentId = environment.id;
  return {
    environmentId,
    get: (path: string) => call("GET", path, { key: secretKey }),
    post: (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
      call("POST", path, { key: secretKey, body, headers }),
    addEndpoint: (...events: string[]) => addEndpoint(environmentId, events.length === 0 ? ["*"] : events),
    async log(...events: Parameters<typeof someEvent>[]): Promise<string[]> {
      const ids = await record(db, environmentId, ...events.map((args) => someEvent(...args)));
      while ((await sequenceEvents(db)) > 0);
      return ids;
    },
    /** As if the endpoint had acknowledged the event. */
    arrive: (eventId: string | undefined, endpointId: string) => arrive(environmentId, eventId ?? "", endpointId),
    async statuses(eventId: string | undefined): Promise<Record<string, string>> {
      const reply = await call("GET", `/events/${eventId}/deliveries`, { key: secretKey });
      const rows: { endpointId: string; status: string }[] = reply.json().data;
      return Object.fromEntries(rows.map(({ endpointId, status }) => [endpointId, status]));
    },
  };
}

function addEndpoint(environmentId: string, events: readonly string[]): Promise<string> {
  return inEnvironment(db, environmentId, async (tx) => {
    const id = tx.environment.clock.newId();
    const now = tx.environment.clock.now();
    const fields = { description: null, enabled: true, disabledReason: null, failingSince: null, version: 1 };
    const times = { previousSecretUntil: null, createdAt: now, updatedAt: now };
    const endpoint = { id, url: "http://localhost:9/hooks", events, ...fields, ...times };
    await insertEndpoint(tx, endpoint, Buffer.from("sealed"));
    return id;
  });
}

async function arrive(environmentId: string, eventId: string, endpointId: string): Promise<void> {
  const at = new Date("2026-11-01T08:00:00.000Z");
  const outcome = { status: 204, durationMs: 12, body: "thanks", error: null };
  const resourceId = crypto.randomUUID();
  await recordArrivals(db, [{ environmentId, eventId, endpointId, resourceId, at, sentAt: at, ...outcome }]);
}

function disable(environmentId: string, endpointId: string): Promise<unknown> {
  return inEnvironment(db, environmentId, async (tx) => {
    const endpoint = await lockEndpointRow(tx, endpointId);
    if (endpoint === undefined) throw new Error("no endpoint");
    await updateEndpoint(tx, { ...endpoint, enabled: false, disabledReason: "merchant" });
  });
}

describe("an event's deliveries", () => {
  test("are shown with every try", async () => {
    const receiver = await createReceiver();
    const endpointId = await receiver.addEndpoint();
    const [id] = await receiver.log([]);
    await receiver.arrive(id, endpointId);
    const reply = await receiver.get(`/events/${id}/deliveries`);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      data: [
        {
          endpointId,
          url: "http://localhost:9/hooks",
          status: "delivered",
          attemptCount: 1,
          nextAttemptAt: null,
          completedAt: "2026-11-01T08:00:00.000Z",
          attempts: [{ at: "2026-11-01T08:00:00.000Z", status: 204, durationMs: 12, response: "thanks", error: null }],
        },
      ],
      pagination: { totalItems: 1 },
    });
  });

  test("go to the endpoints that asked, and come in pages", async () => {
    const receiver = await createReceiver();
    const all = await receiver.addEndpoint();
    const some = await receiver.addEndpoint("transfer.failed", "wallet.credited");
    await receiver.addEndpoint("transfer.failed");
    const [id] = await receiver.log(["wallet.credited"]);
    expect(await receiver.statuses(id)).toEqual({ [all]: "pending", [some]: "pending" });
    const second = await receiver.get(`/events/${id}/deliveries?limit=1&page=2`);
    expect(second.json()).toMatchObject({ data: [{ endpointId: all }], pagination: { totalPages: 2 } });
    expect((await receiver.get(`/events/${id}/deliveries?page=9`)).json().data).toEqual([]);
  });

  test("of another merchant's event are not found", async () => {
    const [receiver, stranger] = [await createReceiver(), await createReceiver()];
    const [id] = await receiver.log([]);
    for (const reply of [await stranger.get(`/events/${id}/deliveries`), await stranger.get("/events/x/deliveries")]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "event_not_found"]);
    }
  });
});

describe("sending an event again", () => {
  test("starts again at each endpoint and keeps the log of earlier tries", async () => {
    const receiver = await createReceiver();
    const [first, second] = [await receiver.addEndpoint(), await receiver.addEndpoint()];
    const [id] = await receiver.log([]);
    await receiver.arrive(id, first);
    await receiver.arrive(id, second);
    const reply = await receiver.post(`/events/${id}/redeliver`);
    expect([reply.statusCode, reply.json().data]).toEqual([202, { events: 1, deliveries: 2 }]);
    const shown = (await receiver.get(`/events/${id}/deliveries`)).json().data;
    expect(shown).toMatchObject([
      { status: "pending", attemptCount: 0, completedAt: null, attempts: [{ status: 204 }] },
      { status: "pending", attemptCount: 0, completedAt: null, attempts: [{ status: 204 }] },
    ]);
    expect(shown[0].nextAttemptAt).not.toBeNull();
  });

  test("a second time changes nothing while the first is still to come", async () => {
    const receiver = await createReceiver();
    const endpointId = await receiver.addEndpoint();
    const [id] = await receiver.log([]);
    await receiver.arrive(id, endpointId);
    expect((await receiver.post(`/events/${id}/redeliver`)).json().data.deliveries).toBe(1);
    expect((await receiver.post(`/events/${id}/redeliver`)).json().data.deliveries).toBe(0);
  });

  test("under the same Idempotency-Key gives the same reply and one effect", async () => {
    const receiver = await createReceiver();
    const endpointId = await receiver.addEndpoint();
    const [id] = await receiver.log([]);
    await receiver.arrive(id, endpointId);
    const send = () => receiver.post(`/events/${id}/redeliver`, {}, { "idempotency-key": "again-1" });
    const first = await send();
    await receiver.arrive(id, endpointId);
    const second = await send();
    expect(second.body).toBe(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(await receiver.statuses(id)).toEqual({ [endpointId]: "delivered" });
  });

  test("two at once put it on its way once", async () => {
    const receiver = await createReceiver();
    const endpointId = await receiver.addEndpoint();
    const [id] = await receiver.log([]);
    await receiver.arrive(id, endpointId);
    const replies = await Promise.all([1, 2, 3].map(() => receiver.post(`/events/${id}/redeliver`)));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    expect(await receiver.statuses(id)).toEqual({ [endpointId]: "pending" });
  });

  test("reaches an endpoint that was added later, and one that did not ask when it is named", async () => {
    const receiver = await createReceiver();
    const [id] = await receiver.log(["wallet.credited"]);
    expect((await receiver.post(`/events/${id}/redeliver`)).json().data.deliveries).toBe(0);
    const later = await receiver.addEndpoint();
    const other = await receiver.addEndpoint("transfer.failed");
    await receiver.post(`/events/${id}/redeliver`);
    expect(await receiver.statuses(id)).toEqual({ [later]: "pending" });
    await receiver.post(`/events/${id}/redeliver`, { endpointId: other });
    expect(await receiver.statuses(id)).toEqual({ [later]: "pending", [other]: "pending" });
  });

  test("is refused for endpoints that are disabled, deleted, another merchant's or no id", async () => {
    const [receiver, stranger] = [await createReceiver(), await createReceiver()];
    const [disabled, deleted] = [await receiver.addEndpoint(), await receiver.addEndpoint()];
    await disable(receiver.environmentId, disabled);
    await inEnvironment(db, receiver.environmentId, (tx) => markDeleted(tx, deleted));
    const [id] = await receiver.log([]);
    const cases = [
      [disabled, 409, "webhook_endpoint_disabled"],
      [deleted, 404, "webhook_endpoint_not_found"],
      [await stranger.addEndpoint(), 404, "webhook_endpoint_not_found"],
      ["x", 404, "webhook_endpoint_not_found"],
    ] as const;
    for (const [endpointId, status, code] of cases) {
      const reply = await receiver.post(`/events/${id}/redeliver`, { endpointId });
      expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    }
  });

  test("of another merchant's event is not found", async () => {
    const [receiver, stranger] = [await createReceiver(), await createReceiver()];
    const [id] = await receiver.log([]);
    for (const path of [`/events/${id}/redeliver`, "/events/x/redeliver"]) {
      const reply = await stranger.post(path);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "event_not_found"]);
    }
  });
});

describe("sending a span of events again", () => {
  const wide = { from: "2020-01-01", to: "2099-01-01" };

  test("takes what happened in it, of the names that were asked for", async () => {
    const receiver = await createReceiver();
    const endpointId = await receiver.addEndpoint();
    const ids = await receiver.log(["wallet.credited"], ["transfer.failed"], ["transfer.completed"]);
    for (const id of ids) await receiver.arrive(id, endpointId);
    const narrow = await receiver.post("/events/redeliver", { ...wide, events: ["transfer.failed"] });
    expect([narrow.statusCode, narrow.json().data]).toEqual([202, { events: 1, deliveries: 1 }]);
    const empty = await receiver.post("/events/redeliver", { from: "2020-01-01", to: "2020-02-01" });
    expect(empty.json().data).toEqual({ events: 0, deliveries: 0 });
    const rest = await receiver.post("/events/redeliver", { ...wide, endpointId });
    expect(rest.json().data).toEqual({ events: 2, deliveries: 2 });
  });

  test("is refused for endpoints that are disabled or deleted", async () => {
    const receiver = await createReceiver();
    const [disabled, deleted] = [await receiver.addEndpoint(), await receiver.addEndpoint()];
    await disable(receiver.environmentId, disabled);
    await inEnvironment(db, receiver.environmentId, (tx) => markDeleted(tx, deleted));
    const codeFor = async (endpointId: string) =>
      (await receiver.post("/events/redeliver", { ...wide, endpointId })).json().code;
    expect(await codeFor(disabled)).toBe("webhook_endpoint_disabled");
    expect(await codeFor(deleted)).toBe("webhook_endpoint_not_found");
  });

  test("leaves other merchants' events alone", async () => {
    const [receiver, stranger] = [await createReceiver(), await createReceiver()];
    const endpointId = await receiver.addEndpoint();
    await stranger.addEndpoint();
    const [id] = await receiver.log([]);
    await receiver.arrive(id, endpointId);
    expect((await stranger.post("/events/redeliver", wide)).json().data).toEqual({ events: 0, deliveries: 0 });
    expect(await receiver.statuses(id)).toEqual({ [endpointId]: "delivered" });
  });

  test("is refused when it holds more than one request can send, telling how many there are", async () => {
    const receiver = await createReceiver();
    await receiver.log(...Array.from({ length: 5_001 }, () => [] as []));
    const reply = await receiver.post("/events/redeliver", wide);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "too_many_events"]);
    expect(reply.json().data).toEqual({ matching: 5_001, atMost: 5_000 });
  });

  test.each([
    [{}, ["from", "to"]],
    [{ from: "2026-11-02", to: "2026-11-01T00:00:00Z" }, ["to"]],
    [{ from: "soon", to: 17 }, ["from", "to"]],
    [{ ...wide, events: [] }, ["events"]],
    [{ ...wide, events: ["nothing.happened"] }, ["events[0]"]],
    [{ ...wide, endpointId: 7 }, ["endpointId"]],
  ])("refuses %j", async (body, fields) => {
    const reply = await call("POST", "/events/redeliver", { body });
    expect(reply.statusCode).toBe(422);
    expect(
      reply
        .json()
        .errors.map(({ field }: { field: string }) => field)
        .sort(),
    ).toEqual(fields);
  });
});
