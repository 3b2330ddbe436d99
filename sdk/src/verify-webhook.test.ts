import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { JaraInputError, verifyWebhook, WebhookSignatureError } from "./index.ts";

const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;
const secret = newSecret();
const now = new Date("2026-11-01T08:30:00.000Z");
const seconds = (moment: Date) => String(Math.floor(moment.getTime() / 1_000));
const body = JSON.stringify({
  id: "e-1",
  event: "transfer.completed",
  created_at: "2026-11-01T08:30:00.000Z",
  environment: "SANDBOX",
  resource_version: 3,
  data: { id: "t-1", narration: "Ọbẹ̀ – ₦500", metadata: { order_id: "1" } },
});

/** As the Standard Webhooks specification words it. */
function sign(text: string, key = secret, { id = "e-1", timestamp = seconds(now) } = {}) {
  const mac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"));
  const signature = mac.update(`${id}.${timestamp}.${text}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it was taken for genuine"),
    (error: unknown) => (error instanceof WebhookSignatureError ? error.reason : error),
  );

describe("a genuine webhook", () => {
  const headers = sign(body);
  const expected = {
    id: "e-1",
    event: "transfer.completed",
    resourceVersion: 3,
    data: { metadata: { order_id: "1" } },
  };

  test.each([
    ["text", body],
    ["a Buffer", Buffer.from(body)],
    ["bytes", new TextEncoder().encode(body)],
    ["a part of a larger buffer", Buffer.from(`xx${body}xx`).subarray(2, -2)],
  ])("is read from %s", async (_, rawBody) => {
    expect(await verifyWebhook(rawBody, headers, secret, { now })).toMatchObject(expected);
  });

  test.each([
    ["the Fetch API", new Headers(headers)],
    ["Node", headers],
    [
      "other cases",
      { "Webhook-Id": "e-1", "WEBHOOK-TIMESTAMP": seconds(now), "Webhook-Signature": headers["webhook-signature"] },
    ],
    ["lists", { ...headers, "webhook-signature": [headers["webhook-signature"]] }],
  ])("is known by headers of %s", async (_, given) => {
    expect(await verifyWebhook(body, given, secret, { now })).toMatchObject(expected);
  });

  test("is known while either side rotates its secret", async () => {
    const other = newSecret();
    const both = {
      ...headers,
      "webhook-signature": `${sign(body, other)["webhook-signature"]} v1a,x ${headers["webhook-signature"]}`,
    };
    expect(await verifyWebhook(body, both, secret, { now })).toMatchObject(expected);
    expect(await verifyWebhook(body, headers, [other, secret], { now })).toMatchObject(expected);
  });

  test("narrows the type of its data by its name", async () => {
    const event = await verifyWebhook(body, headers, secret, { now });
    if (event.event !== "transfer.completed") return expect.fail("another event");
    const narration: string | null = event.data.narration;
    expect(narration).toBe("Ọbẹ̀ – ₦500");
  });
});

describe("refused is", () => {
  const headers = sign(body);

  test.each([
    ["another body", body.replace("500", "900"), headers],
    ["the same JSON written otherwise", JSON.stringify(JSON.parse(body), undefined, 2), headers],
    ["another id", body, { ...headers, "webhook-id": "e-2" }],
    ["another time", body, { ...headers, "webhook-timestamp": seconds(new Date(now.getTime() + 1_000)) }],
    ["another's secret", body, sign(body, newSecret())],
    [
      "a signature of another version",
      body,
      { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") },
    ],
    ["a signature that is not base64", body, { ...headers, "webhook-signature": "v1,*" }],
    ["an empty signature", body, { ...headers, "webhook-signature": "v1," }],
    ["a shortened signature", body, { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, -4) }],
  ])("%s", async (_, text, given) => {
    expect(await reasonOf(verifyWebhook(text, given, secret, { now }))).toBe("no_matching_signature");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("one without %s", async (name) => {
    expect(await reasonOf(verifyWebhook(body, { ...headers, [name]: undefined }, secret, { now }))).toBe(
      "headers_missing",
    );
  });

  test.each([
    ["old", -301],
    ["from the future", 301],
  ])("one that is %s, although it is signed", async (_, offset) => {
    const timestamp = seconds(new Date(now.getTime() + offset * 1_000));
    const given = sign(body, secret, { timestamp });
    expect(await reasonOf(verifyWebhook(body, given, secret, { now }))).toBe("timestamp_outside_tolerance");
    expect(await verifyWebhook(body, given, secret, { now, toleranceSeconds: 400 })).toMatchObject({ id: "e-1" });
  });

  test.each(["", "soon", "1e9", "-5"])("a timestamp %j", async (timestamp) => {
    const given = sign(body, secret, { timestamp });
    expect(await reasonOf(verifyWebhook(body, given, secret, { now }))).toMatch(/headers_missing|timestamp_outside/);
  });

  test.each(["not json", "[]", '"event"', "{}"])("a signed body %s", async (text) => {
    expect(await reasonOf(verifyWebhook(text, sign(text), secret, { now }))).toBe("not_an_event");
  });

  test("a parsed body, with a word about raw ones", async () => {
    const error = await reasonOf(verifyWebhook(JSON.parse(body), headers, secret, { now }));
    expect(error).toBeInstanceOf(JaraInputError);
    expect(String(error)).toContain("before your framework parses it");
  });

  test.each(["", "whsec_", "sk_test_x", "whsec_***"])("a secret %j, without repeating it", async (wrong) => {
    const error = await reasonOf(verifyWebhook(body, headers, wrong, { now }));
    expect(error).toBeInstanceOf(JaraInputError);
    expect(String(error)).not.toContain("sk_test_x");
  });
});
