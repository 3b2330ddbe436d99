import { describe, expect, test, vi } from "vitest";
import { type JaraEvent, WebhookSignatureError } from "../../sdk/src/index.ts";
import { patienceMs } from "../../server/testing/patience.ts";
import { createReceiver } from "../../server/testing/webhooks/webhook-receiver.ts";
import { createTestSender, sendDue } from "../../server/testing/webhooks/webhooks.ts";
import { caught, createProduct } from "./product.ts";

const product = await createProduct();
const { jara } = product;
const receiver = await createReceiver();
const sender = createTestSender(product);
const { endpoints } = jara.webhooks;
const { id: endpointId, secret } = await endpoints.create({ url: receiver.url, events: ["*"] });
const pay = (reference: string) =>
  jara.transfers.create({
    accountNumber: "0690000032",
    bankCode: "044",
    amount: 100,
    reference,
    metadata: { order_id: 1 },
  });

describe("webhooks", () => {
  test("a real delivery is verified from its raw body, and known by both secrets while they rotate", async () => {
    const transfer = await pay("hook-1");
    // The funding of the wallet may still be on its way to an endpoint that is as new as this one.
    const delivery = await vi.waitFor(async () => {
      await sendDue(product, sender);
      const found = receiver.received.find(({ body }) => body.includes('"transfer.completed"'));
      expect(found).toBeDefined();
      return found;
    }, patienceMs);
    const event = await jara.webhooks.verify(delivery?.body ?? "", delivery?.headers ?? {}, secret);
    if (event.event !== "transfer.completed") return expect.fail(event.event);
    expect(event.data).toMatchObject({ id: transfer.id, metadata: { order_id: 1 } });
    const { secret: next } = await endpoints.rotateSecret(endpointId, { overlapSeconds: 600 });
    await endpoints.sendTest(endpointId);
    await sendDue(product, sender);
    const { body, headers } = receiver.received.at(-1) ?? { body: "", headers: {} };
    for (const one of [secret, next]) {
      expect(await jara.webhooks.verify(body, headers, one)).toMatchObject({ event: "webhook.test" });
    }
    const forged = body.replace("webhook.test", "transfer.completed");
    expect(await caught(jara.webhooks.verify(forged, headers, next))).toBeInstanceOf(WebhookSignatureError);
  });

  test("endpoints are read, changed, listed and deleted", async () => {
    const found = await endpoints.get(endpointId);
    expect(await endpoints.list().toArray()).toEqual([found]);
    expect(await endpoints.update(endpointId, { description: "Shop" })).toMatchObject({ description: "Shop" });
    const other = await endpoints.create({ url: `${receiver.url}/other` });
    expect(await endpoints.delete(other.id)).toMatchObject({ id: other.id });
  });
});

describe("events", () => {
  test("are listed, read, and sent again", async () => {
    const [event] = await jara.events.list({ event: "transfer.completed" }).toArray();
    expect(await jara.events.get(event?.id ?? "")).toEqual(event);
    expect((await jara.events.listDeliveries(event?.id ?? "").toArray())[0]).toMatchObject({ endpointId });
    expect(await jara.overview.get({ by: "hour" })).toMatchObject({ by: "hour", attention: expect.any(Array) });
    expect(await jara.search(event?.id ?? "")).toMatchObject([{ kind: "event", path: `/events/${event?.id}` }]);
    expect(await jara.traces.get(event?.id ?? "")).toMatchObject({ kind: "event", steps: expect.any(Array) });
    expect(await jara.events.redeliver(event?.id ?? "")).toMatchObject({ events: expect.any(Number) });
    const span = { from: new Date("2020-01-01"), to: new Date("2100-01-01") };
    expect(await jara.events.redeliverSpan(span)).toMatchObject({ events: expect.any(Number) });
  });

  test("are followed in their order, and from a cursor on", async () => {
    const cursors: string[] = [];
    const seen: JaraEvent[] = [];
    const stop = new AbortController();
    const onCursor = (cursor: string) => void cursors.push(cursor);
    const following = caught(
      (async () => {
        for await (const event of jara.events.follow({ onCursor, waitSeconds: 5, signal: stop.signal }))
          seen.push(event);
      })(),
    );
    await expect.poll(() => cursors.length).toBe(1);
    const first = seen.length;
    await pay("hook-2");
    await sendDue(product, sender);
    await expect.poll(() => seen.length).toBe(first + 1);
    stop.abort(new Error("enough"));
    expect(await following).toMatchObject({ message: "enough" });
    const feed = await jara.events.readFeed({ after: cursors[0] ?? "" });
    expect(feed.events).toEqual(seen.slice(first));
  });

  test("that are sent again come again for a reader who asks for resends", async () => {
    const { cursor } = await jara.events.readFeed({ after: "latest" });
    const [event] = await jara.events.list().toArray();
    await jara.events.redeliver(event?.id ?? "");
    expect(await jara.events.readFeed({ after: cursor, include: "resends" })).toMatchObject({
      events: [event],
      places: [{ cursor: expect.any(String), resentAt: expect.any(String) }],
    });
    for await (const again of jara.events.follow({ after: cursor, resends: true })) {
      expect(again).toEqual(event);
      break;
    }
    expect((await jara.events.readFeed({ after: cursor })).events).toEqual([]);
  });
});
