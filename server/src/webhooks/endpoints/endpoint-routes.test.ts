import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant, testOrigin } from "../../../testing/factories.ts";
import { issueKeyFor } from "../../../testing/keys.ts";
import { createReceiver } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, createTestSender, sendDue } from "../../../testing/webhooks/webhooks.ts";
import { addEnvironment } from "../../merchants/add-environment.ts";
import { inEnvironment, operatorScope } from "../../platform/database/database.ts";
import { openEnvironment } from "../../start/open-environment.ts";

const app = await createTestApp();
const url = "https://shop.example.com/hooks";
let made = 0;
/** An address belongs to one endpoint of an environment. */
const freshUrl = () => `${url}/${++made}`;
const path = "/webhooks/endpoints";

const liveKey = await (async () => {
  const live = await inEnvironment(app.db, operatorScope, (tx) =>
    addEnvironment(tx, {
      merchantId: app.merchant.merchant.id,
      kind: "LIVE",
      name: "Live",
      origin: testOrigin,
      environmentOpened: openEnvironment,
    }),
  );
  return issueKeyFor(app.db, live.id);
})();

const add = (body: unknown, key?: string) => app.call("POST", path, { body, ...(key === undefined ? {} : { key }) });

describe("adding an endpoint", () => {
  test("returns a secret that is shown only then", async () => {
    const reply = await add({ url, events: ["transfer.completed", "transfer.completed"], description: "Desk" });
    expect(reply.statusCode).toBe(201);
    const { secret, ...endpoint } = reply.json().data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(endpoint).toMatchObject({
      url,
      events: ["transfer.completed"],
      description: "Desk",
      enabled: true,
      disabledReason: null,
      failingSince: null,
      previousSecretExpiresAt: null,
    });
    expect((await app.call("GET", `${path}/${endpoint.id}`)).json().data).toEqual(endpoint);
    const list = await app.call("GET", path);
    expect(list.json().data[0]).toEqual(endpoint);
    expect(list.body).not.toContain("whsec_");
  });

  test("takes all events unless some are named", async () => {
    expect((await add({ url: freshUrl() })).json().data.events).toEqual(["*"]);
  });

  test.each([
    ["not a URL", "shop"],
    ["no host", "https://"],
    ["another scheme", "ftp://shop.example.com/"],
    ["a script", "javascript:alert(1)"],
    ["a user name", "https://ada@shop.example.com/"],
    ["a password", "https://ada:secret@shop.example.com/"],
    ["an empty user name", "https://@shop.example.com/"],
    ["a fragment", "https://shop.example.com/#top"],
    ["an empty fragment", "https://shop.example.com/#"],
    ["a space", "https://shop.example.com/ a"],
    ["a line break", "https://shop.example.com/\na"],
    ["a backslash", "https:\\\\shop.example.com\\"],
    ["3,000 characters", `https://shop.example.com/${"a".repeat(2_975)}`],
    ["too many once encoded", `https://shop.example.com/${"ß".repeat(1_000)}`],
    ["an empty text", ""],
    ["the metadata service", "http://169.254.169.254/latest"],
  ])("refuses %s", async (_, bad) => {
    const reply = await add({ url: bad });
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({
      code: "validation_failed",
      errors: [{ field: "url", message: expect.any(String) }],
    });
  });

  test("names everything that is wrong at once", async () => {
    const reply = await add({ url: "nowhere", events: ["transfer.completed", "transfer.exploded"] });
    expect(reply.json().errors.map(({ field }: { field: string }) => field)).toEqual(["url", "events[1]"]);
  });

  test.each([[["*", "transfer.completed"]], [[]], ["*"], [[1]], [["*".repeat(200)]]])(
    "refuses the events %j",
    async (events) => {
      expect((await add({ url, events })).statusCode).toBe(422);
    },
  );

  test.each([
    ["http", "http://shop.example.com/"],
    ["localhost", "https://localhost/"],
    ["a private address", "https://10.0.0.1/"],
    ["a decimal loopback", "https://2130706433/"],
    ["a public literal", "https://93.184.216.34/"],
    ["another port", "https://shop.example.com:4433/"],
  ])("refuses %s with a live key", async (_, bad) => {
    expect((await add({ url: bad }, liveKey)).json()).toMatchObject({ code: "validation_failed" });
  });

  test("takes https with a live key, and localhost in a sandbox", async () => {
    expect((await add({ url }, liveKey)).statusCode).toBe(201);
    expect((await add({ url: "http://localhost:3000/hooks" })).statusCode).toBe(201);
  });

  test("stops at twenty, also when they are added at once", async () => {
    const key = (await createMerchant(app.db)).secretKey;
    const replies = await Promise.all(Array.from({ length: 24 }, () => add({ url: freshUrl() }, key)));
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20);
    expect(replies.find(({ statusCode }) => statusCode === 422)?.json().code).toBe("webhook_endpoint_limit");
    const list = await app.call("GET", `${path}?limit=8&page=3`, { key });
    expect(list.json()).toMatchObject({ pagination: { totalItems: 20, totalPages: 3 } });
    expect(list.json().data).toHaveLength(4);
    await app.call("DELETE", `${path}/${list.json().data[0].id}`, { key });
    expect((await add({ url: freshUrl() }, key)).statusCode).toBe(201);
  });

  test("is replayed with its secret under the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { url: freshUrl() };
    const first = await app.call("POST", path, { body, headers });
    const second = await app.call("POST", path, { body, headers });
    expect(second.json()).toEqual(first.json());
  });
});

describe("an address that another endpoint has", () => {
  const taken = (id: string) => ({ code: "webhook_endpoint_exists", data: { endpointId: id } });

  // Twenty are the limit, so that what was made goes again.
  afterEach(async () => {
    for (const { id } of (await app.call("GET", `${path}?limit=100`)).json().data) {
      await app.call("DELETE", `${path}/${id}`);
    }
  });

  test("is refused, and the reply names that endpoint", async () => {
    const own = freshUrl();
    const { id } = await addEndpoint(app, own);
    // However it is written.
    for (const same of [own, own.replace("https://shop", "HTTPS://SHOP"), own.replace(".com/", ".com:443/")]) {
      const reply = await add({ url: same, events: ["transfer.failed"] });
      expect([reply.statusCode, reply.json()]).toMatchObject([409, taken(id)]);
    }
    expect((await add({ url: `${own}/other` })).statusCode).toBe(201);
    expect((await add({ url: own }, app.otherMerchant.secretKey)).statusCode).toBe(201);
  });

  test("is refused also while that endpoint is disabled, and free once it is deleted", async () => {
    const own = freshUrl();
    const { id } = await addEndpoint(app, own, { enabled: false });
    expect((await add({ url: own })).json()).toMatchObject(taken(id));
    await app.call("DELETE", `${path}/${id}`);
    expect((await add({ url: own })).statusCode).toBe(201);
  });

  test("is made once by many at the same time", async () => {
    const own = freshUrl();
    const replies = await Promise.all(Array.from({ length: 6 }, () => add({ url: own })));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test("cannot be moved to, and may be kept", async () => {
    const [one, other] = [await addEndpoint(app, freshUrl()), await addEndpoint(app, freshUrl())];
    const { url: its } = (await app.call("GET", `${path}/${other.id}`)).json().data;
    const moved = await app.call("PATCH", `${path}/${one.id}`, { body: { url: its } });
    expect([moved.statusCode, moved.json()]).toMatchObject([409, taken(other.id)]);
    const kept = await app.call("PATCH", `${path}/${other.id}`, { body: { url: its, description: "Desk" } });
    expect(kept.json().data).toMatchObject({ url: its, description: "Desk" });
  });
});

describe("an endpoint of another merchant, or none", () => {
  const requests: [string, string, unknown?][] = [
    ["GET", ""],
    ["PATCH", "", { enabled: false }],
    ["DELETE", ""],
    ["POST", "/rotate-secret", {}],
    ["POST", "/test"],
  ];

  test.each(requests)("%s …%s is not found", async (method, rest, body) => {
    const { id } = await addEndpoint(app, freshUrl(), {}, app.otherMerchant.secretKey);
    for (const wanted of [id, randomUUID()]) {
      const reply = await app.call(method, `${path}/${wanted}${rest}`, body === undefined ? {} : { body });
      expect(reply.statusCode).toBe(404);
      expect(reply.json().code).toBe("webhook_endpoint_not_found");
    }
    const bad = await app.call(method, `${path}/nothing${rest}`, body === undefined ? {} : { body });
    expect(bad.statusCode).toBe(404);
  });

  test.each(requests)("%s …%s needs its scope", async (method, rest, body) => {
    const { id } = await addEndpoint(app, freshUrl());
    const key = await issueKeyFor(app.db, app.merchant.environment.id, { scopes: ["transfers:write"] });
    const reply = await app.call(method, `${path}/${id}${rest}`, { key, ...(body === undefined ? {} : { body }) });
    expect(reply.statusCode).toBe(403);
  });
});

describe("changing an endpoint", () => {
  test("changes what is sent and leaves the rest", async () => {
    const { id } = await addEndpoint(app, freshUrl(), { events: ["transfer.failed"], description: "Old" });
    const reply = await app.call("PATCH", `${path}/${id}`, { body: { description: null, url: `${url}/new` } });
    expect(reply.json().data).toMatchObject({ url: `${url}/new`, description: null, events: ["transfer.failed"] });
    expect((await app.call("PATCH", `${path}/${id}`, { body: { url: "ftp://x" } })).statusCode).toBe(422);
    expect((await app.call("PATCH", `${path}/${id}`, { body: { events: ["x.y"] } })).statusCode).toBe(422);
    expect((await app.call("PATCH", `${path}/${id}`, { body: {} })).statusCode).toBe(422);
  });

  test("disables with a reason and enables again", async () => {
    const { id } = await addEndpoint(app, freshUrl());
    const off = await app.call("PATCH", `${path}/${id}`, { body: { enabled: false } });
    expect(off.json().data).toMatchObject({ enabled: false, disabledReason: { code: "merchant" } });
    const on = await app.call("PATCH", `${path}/${id}`, { body: { enabled: true } });
    expect(on.json().data).toMatchObject({ enabled: true, disabledReason: null });
  });

  test("a deleted endpoint is gone", async () => {
    const { id } = await addEndpoint(app, freshUrl());
    expect((await app.call("DELETE", `${path}/${id}`)).json().data).toEqual({ id, deleted: true });
    expect((await app.call("DELETE", `${path}/${id}`)).statusCode).toBe(404);
    expect((await app.call("GET", `${path}/${id}`)).statusCode).toBe(404);
  });
});

describe("the secret and the test event", () => {
  test("a rotation gives two valid signatures, until its overlap is over or cut short", async () => {
    const receiver = await createReceiver();
    const { id, secret: first } = await addEndpoint(app, receiver.url, { events: ["loan.approved"] });
    const rotate = (body: unknown) => app.call("POST", `${path}/${id}/rotate-secret`, { body });
    const sender = createTestSender(app);
    const trial = async () => {
      const sent = await app.call("POST", `${path}/${id}/test`);
      expect(sent.statusCode).toBe(202);
      await sendDue(app, sender);
      const message = receiver.received.at(-1);
      if (message === undefined) throw new Error("nothing came");
      expect(message.headers["webhook-id"]).toBe(sent.json().data.eventId);
      return message;
    };
    const accepts = (secret: string, { body, headers }: Awaited<ReturnType<typeof trial>>): boolean => {
      try {
        new Webhook(secret).verify(body, { ...headers });
        return true;
      } catch {
        return false;
      }
    };
    const rotated = await rotate({});
    const second = rotated.json().data.secret;
    expect(second).not.toBe(first);
    expect(Date.parse(rotated.json().data.previousSecretExpiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    const both = await trial();
    expect(both.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect([accepts(first, both), accepts(second, both)]).toEqual([true, true]);
    const third = (await rotate({ overlapSeconds: 0 })).json().data.secret;
    const one = await trial();
    expect([first, second, third].map((secret) => accepts(secret, one))).toEqual([false, false, true]);
    expect((await rotate({ overlapSeconds: -1 })).statusCode).toBe(422);
  });

  test("a test event goes to its endpoint alone and carries what GET shows", async () => {
    const [receiver, other] = [await createReceiver(), await createReceiver()];
    const { id } = await addEndpoint(app, receiver.url, { events: ["loan.approved"] });
    await addEndpoint(app, other.url);
    await app.call("POST", `${path}/${id}/test`);
    const shown = await app.call("GET", `${path}/${id}`);
    await sendDue(app, createTestSender(app));
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: "webhook.test", environment: "SANDBOX", data: shown.json().data },
    ]);
    expect(other.received).toEqual([]);
  });

  test("a disabled endpoint cannot be tested", async () => {
    const { id } = await addEndpoint(app, freshUrl(), { enabled: false });
    const reply = await app.call("POST", `${path}/${id}/test`);
    expect(reply.statusCode).toBe(409);
    expect(reply.json().code).toBe("webhook_endpoint_disabled");
  });
});
