import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../platform/secrets/crypto.ts";
import { attemptTime, mostAttempts, nextTryAt, readRetryAfter } from "../deliveries/delivery.ts";
import { createSigner, makeWebhookSecret, openSecret, sealSecret, secondsOf } from "../endpoints/webhook-secret.ts";
import { messageBody } from "./send-webhooks.job.ts";

const sealer = createSealer(parseMasterKeys(generateMasterKey(1)));
const owner = { environmentId: "e1", endpointId: "x1" };
const sentAt = new Date("2026-11-02T08:00:00.900Z");
const message = { id: "evt_1", sentAt, body: '{"id":"evt_1"}' };
const [current, previous] = [makeWebhookSecret(), makeWebhookSecret()];
const sealed = {
  current: sealSecret(sealer, owner, "current", current),
  previous: sealSecret(sealer, owner, "previous", previous),
  previousUntil: new Date(sentAt.getTime() + 1),
};

describe("a signature", () => {
  const sign = createSigner(sealer);

  test("is over the id, the second and the body, as a receiver computes it", () => {
    expect(secondsOf(sentAt)).toBe(Date.parse("2026-11-02T08:00:00Z") / 1_000);
    const alone = { ...sealed, previous: null, previousUntil: null };
    const key = Buffer.from(current.replace("whsec_", ""), "base64");
    const signed = `${message.id}.${secondsOf(sentAt)}.${message.body}`;
    expect(sign(owner, alone, message)).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });

  test("comes twice while a secret is exchanged, and once when the overlap is over", () => {
    expect(sign(owner, sealed, message).split(" ")).toHaveLength(2);
    expect(sign(owner, { ...sealed, previousUntil: sentAt }, message).split(" ")).toHaveLength(1);
    expect(sign(owner, { ...sealed, previousUntil: null }, message).split(" ")).toHaveLength(1);
    expect(sign(owner, { ...sealed, previous: null }, message).split(" ")).toHaveLength(1);
  });

  test("is another for another id, second, body or secret", () => {
    const alone = { ...sealed, previous: null, previousUntil: null };
    const usual = sign(owner, alone, message);
    const others = [
      sign(owner, alone, { ...message, id: "evt_2" }),
      sign(owner, alone, { ...message, sentAt: new Date(sentAt.getTime() + 1_000) }),
      sign(owner, alone, { ...message, body: '{"id":"evt_1" }' }),
      sign(owner, { ...alone, current: sealSecret(sealer, owner, "current", previous) }, message),
    ];
    expect(new Set([usual, ...others]).size).toBe(5);
  });

  test("follows a secret that was exchanged, although the old one is remembered", () => {
    const fresh = createSigner(sealer);
    const alone = { ...sealed, previous: null, previousUntil: null };
    const before = fresh(owner, alone, message);
    const exchanged = { ...alone, current: sealSecret(sealer, owner, "current", makeWebhookSecret()) };
    expect(fresh(owner, exchanged, message)).not.toBe(before);
    expect(fresh(owner, alone, message)).toBe(before);
  });

  test("opens the secrets of two endpoints of one id once each", () => {
    let opened = 0;
    const open: typeof sealer.open = (...given) => {
      opened += 1;
      return sealer.open(...given);
    };
    const signCounted = createSigner({ ...sealer, open });
    const twin = { ...owner, environmentId: "e2" };
    const twins = { ...sealed, current: sealSecret(sealer, twin, "current", previous), previous: null };
    for (let time = 0; time < 3; time += 1) {
      signCounted(owner, { ...sealed, previous: null }, message);
      signCounted(twin, twins, message);
    }
    expect(opened).toBe(2);
  });

  test("is not made with a secret that was moved to another endpoint or place", () => {
    expect(() => openSecret(sealer, { ...owner, endpointId: "x2" }, "current", sealed.current)).toThrow();
    expect(() => openSecret(sealer, { ...owner, environmentId: "e2" }, "current", sealed.current)).toThrow();
    expect(() => openSecret(sealer, owner, "previous", sealed.current)).toThrow();
    expect(openSecret(sealer, owner, "current", sealed.current)).toBe(current);
  });

  test("stands on 24 random bytes", () => {
    expect(current).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(Buffer.from(current.slice("whsec_".length), "base64")).toHaveLength(24);
    expect(current).not.toBe(previous);
  });
});

describe("the next try", () => {
  const from = new Date("2026-11-02T08:00:00.000Z");
  const seconds = (attempts: number, retryAfterMs: number | null = null, chance = 0) => {
    const next = nextTryAt({ attempts, from, retryAfterMs, chance });
    return next === null ? null : (next.getTime() - from.getTime()) / 1_000;
  };

  test("comes after growing waits, and the tenth is the last", () => {
    const waits = Array.from({ length: mostAttempts }, (_, place) => seconds(place + 1));
    expect(waits).toEqual([5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, null]);
  });

  test("is shortened by chance, by a fifth at most, and never lengthened", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
        const [usual, next] = [seconds(attempts) ?? 0, seconds(attempts, null, chance) ?? 0];
        expect(next).toBeLessThanOrEqual(usual);
        expect(next).toBeGreaterThanOrEqual(usual * 0.8 - 0.001);
      }),
    );
  });

  test("waits as long as the receiver asks for, but no longer than a day", () => {
    expect(seconds(1, 90_000)).toBe(90);
    expect(seconds(1, 1_000)).toBe(5);
    expect(seconds(1, 10 * 86_400_000)).toBe(86_400);
    expect(seconds(10, 90_000)).toBeNull();
  });

  test.each([
    ["120", 120_000],
    [" 5 ", 5_000],
    ["0", 0],
    ["Mon, 02 Nov 2026 08:01:00 GMT", 60_000],
    ["Mon, 02 Nov 2026 07:00:00 GMT", 0],
    ["-1", null],
    ["1.5", null],
    ["soon", null],
    ["9999999999", null],
    ["2026-11-02T08:01:00Z", null],
    ["", null],
    [undefined, null],
  ])("reads Retry-After %j as %s ms", (header, ms) => {
    expect(readRetryAfter(header, from)).toBe(ms);
  });

  test("is counted from the send in a live environment, and from when it was due in a sandbox", () => {
    const times = { sentAt: new Date(2_000), dueAt: new Date(1_000) };
    expect(attemptTime("LIVE", times)).toBe(times.sentAt);
    expect(attemptTime("SANDBOX", times)).toBe(times.dueAt);
  });
});

test("the body of a message has the data to the byte as it was written", () => {
  const data = '{"amount":2500.50,"note":"\\u00e9","b":1,"a":2}';
  const body = messageBody({
    eventId: "evt_1",
    event: "transfer.completed",
    createdAt: sentAt,
    environment: "LIVE",
    resourceVersion: 3,
    data,
  });
  expect(body.endsWith(`,"data":${data}}`)).toBe(true);
  expect(JSON.parse(body)).toEqual({
    id: "evt_1",
    event: "transfer.completed",
    created_at: sentAt.toISOString(),
    environment: "LIVE",
    resource_version: 3,
    data: JSON.parse(data),
  });
});
