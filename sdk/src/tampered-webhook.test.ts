/** A webhook of which anything was changed on its way is not taken for genuine. */
import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookSignatureError } from "./index.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const now = new Date("2026-11-01T08:30:00.000Z");
const timestamp = String(now.getTime() / 1_000);
const event = { id: "e-1", event: "transfer.completed", data: { narration: "₦500 – Ọbẹ̀" } };
const body = Buffer.from(JSON.stringify(event));

function sign(bytes: Uint8Array) {
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = mac.update(`e-1.${timestamp}.`).update(bytes).digest("base64");
  return { "webhook-id": "e-1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
const headers = sign(body);
const isTaken = (bytes: Uint8Array, given: Record<string, string> = headers) =>
  verifyWebhook(bytes, given, secret, { now }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof WebhookSignatureError) return false;
      throw error;
    },
  );

test("as it was sent it is taken", async () => {
  expect(await isTaken(body)).toBe(true);
});

test("not with any one bit of its body turned", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.nat(7), async (place, bit) => {
      const changed = Buffer.from(body);
      changed[place] = (changed[place] ?? 0) ^ (1 << bit);
      expect(await isTaken(changed)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("not with a byte more, or one fewer, at either end", async () => {
  for (const changed of [
    Buffer.concat([body, Buffer.from("\n")]),
    Buffer.concat([Buffer.from(" "), body]),
    body.subarray(1),
    body.subarray(0, -1),
    Buffer.alloc(0),
  ])
    expect(await isTaken(changed)).toBe(false);
});

test("not with any one character of its signature changed", async () => {
  const signature = headers["webhook-signature"];
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  // The last letter before the = carries bits that no byte has; to change those changes nothing.
  const places = fc.integer({ min: 3, max: signature.length - 3 });
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom(...letters), async (place, letter) => {
      if (signature[place] === letter) return;
      const changed = signature.slice(0, place) + letter + signature.slice(place + 1);
      expect(await isTaken(body, { ...headers, "webhook-signature": changed })).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("not with parts of its headers moved into its body, though the signed text would be the same", async () => {
  const moved = { ...headers, "webhook-id": "e-1.", "webhook-timestamp": timestamp };
  expect(await isTaken(body, moved)).toBe(false);
  expect(await isTaken(Buffer.concat([Buffer.from("."), body]))).toBe(false);
});

test.each([
  [-300, true],
  [-301, false],
  [300, true],
  [301, false],
])("%i seconds from now it is taken: %s", async (offset, taken) => {
  const then = new Date(now.getTime() - offset * 1_000);
  const taking = verifyWebhook(body, headers, secret, { now: then });
  if (taken) expect(await taking).toMatchObject({ id: "e-1" });
  else await expect(taking).rejects.toMatchObject({ reason: "timestamp_outside_tolerance" });
});

test("of many signatures one that fits is enough, and a thousand that do not are not", async () => {
  const wrong = Array.from({ length: 1_000 }, () => `v1,${randomBytes(32).toString("base64")}`).join(" ");
  expect(await isTaken(body, { ...headers, "webhook-signature": `${wrong} ${headers["webhook-signature"]}` })).toBe(
    true,
  );
  expect(await isTaken(body, { ...headers, "webhook-signature": wrong })).toBe(false);
});
