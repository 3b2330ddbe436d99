/**
 * Proves that a webhook comes from Jara, by the Standard Webhooks rules: HMAC-SHA256 over `id.timestamp.body` with the
 * endpoint's secret. It uses Web Crypto, which every runtime has and which is asynchronous: await it.
 */
import type { JaraEvent } from "./api.gen.ts";
import { JaraInputError, WebhookSignatureError } from "./errors.ts";
import { camelKeys, isRecord } from "./wire/casing.ts";

/** What the server framework gives: the Fetch API's Headers, or Node's object of headers. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now. 300 s unless you say otherwise. */
  readonly toleranceSeconds?: number | undefined;
  /** Now, for tests of your own. */
  readonly now?: Date | undefined;
}

/**
 * Returns the event when one of the signatures is right, and throws a `WebhookSignatureError` otherwise. `rawBody` is
 * what arrived, byte by byte, before anything parsed it. While you rotate secrets, give both.
 *
 * The type lists every event of this version. A newer server may send more: let your `switch` have a default.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<JaraEvent> {
  const keys = (typeof secret === "string" ? [secret] : secret).map(bytesOfSecret);
  const body = bytesOf(rawBody);
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) {
    throw new WebhookSignatureError(
      "headers_missing",
      "The headers webhook-id, webhook-timestamp and webhook-signature are not all there.",
    );
  }
  refuseStale(timestamp, now, toleranceSeconds);
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, signatures, keys))) {
    throw new WebhookSignatureError(
      "no_matching_signature",
      "No signature fits. Check that this is the endpoint's secret, and that the body is exactly what arrived.",
    );
  }
  return eventOf(body);
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new JaraInputError(
    "rawBody is neither text nor bytes. Take the body before your framework parses it: parsed and written again it is other text.",
  );
}

function bytesOfSecret(secret: string): Bytes {
  const bytes = typeof secret === "string" && secret.startsWith("whsec_") ? decodeBase64(secret.slice(6)) : undefined;
  if (bytes === undefined || bytes.length === 0) {
    throw new JaraInputError("secret is not a webhook secret: it begins with whsec_ and was shown when it was made.");
  }
  return bytes;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const first: unknown = Array.isArray(found) ? found.join(" ") : found;
  return typeof first === "string" ? first : undefined;
}

/** What was recorded long ago is not played again. */
function refuseStale(timestamp: string, now: Date, toleranceSeconds: number): void {
  const age = /^[0-9]{1,12}$/.test(timestamp) ? now.getTime() / 1_000 - Number(timestamp) : Number.NaN;
  if (Math.abs(age) <= toleranceSeconds) return;
  throw new WebhookSignatureError(
    "timestamp_outside_tolerance",
    `webhook-timestamp is not within ${toleranceSeconds} s of now. Check this machine's clock; an old delivery may be a replay.`,
  );
}

/** Several signatures come while the server rotates, several keys while the receiver does. One pair is enough. */
async function isSigned(signed: Bytes, signatures: string, secrets: readonly Bytes[]): Promise<boolean> {
  const given = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .flatMap((signature) => decodeBase64(signature.slice(3)) ?? []);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["verify"]);
    for (const signature of given) {
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
    }
  }
  return false;
}

/** Web Crypto takes no bytes that threads share. */
type Bytes = Uint8Array<ArrayBuffer>;

const hmac = { name: "HMAC", hash: "SHA-256" } as const;

function eventOf(body: Uint8Array): JaraEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    if (isRecord(event) && typeof event["event"] === "string") return camelKeys(event) as JaraEvent;
  } catch {
    // It is signed and still not JSON: not an event of ours.
  }
  throw new WebhookSignatureError("not_an_event", "The body is signed but is not an event.");
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function join(first: Uint8Array, second: Uint8Array): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
