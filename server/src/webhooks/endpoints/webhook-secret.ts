/**
 * The secrets with which messages are signed, by the Standard Webhooks specification: `whsec_` and 24 random bytes in
 * base64. They are sealed in the database, and opened once for as long as the sealed bytes stay the same.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../../platform/secrets/reseal.ts";
import { type EndpointKey, keyOf } from "./endpoint.ts";

const sealedSecretColumns = {
  current: { table: "webhook_endpoints", column: "sealed_secret", key: "id" },
  previous: { table: "webhook_endpoints", column: "sealed_previous_secret", key: "id" },
} as const satisfies Record<string, SealedColumn>;

type SecretPlace = keyof typeof sealedSecretColumns;

const secretPrefix = "whsec_";

export function makeWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(24).toString("base64")}`;
}

export function sealSecret(sealer: Sealer, owner: EndpointKey, place: SecretPlace, secret: string): Buffer {
  return sealer.seal(secret, contextOf(owner, place));
}

export function openSecret(sealer: Sealer, owner: EndpointKey, place: SecretPlace, sealed: Buffer): string {
  return sealer.open(sealed, contextOf(owner, place)).toString("utf8");
}

function contextOf({ environmentId, endpointId }: EndpointKey, place: SecretPlace): string {
  return sealedContext(sealedSecretColumns[place], environmentId, endpointId);
}

export interface SealedSecrets {
  readonly current: Buffer;
  readonly previous: Buffer | null;
  readonly previousUntil: Date | null;
}

export interface Message {
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

export type Sign = (owner: EndpointKey, secrets: SealedSecrets, message: Message) => string;

const mostRemembered = 10_000;

/** Makes the value of `webhook-signature`: one signature, or two during the overlap after a rotation. */
export function createSigner(sealer: Sealer): Sign {
  const opened = new Map<string, { readonly sealed: Buffer; readonly key: Buffer }>();

  function secretOf(owner: EndpointKey, place: SecretPlace, sealed: Buffer): Buffer {
    const name = `${keyOf(owner)}/${place}`;
    const known = opened.get(name);
    if (known?.sealed.equals(sealed) === true) return known.key;
    const key = Buffer.from(openSecret(sealer, owner, place, sealed).slice(secretPrefix.length), "base64");
    if (opened.size >= mostRemembered) opened.clear();
    opened.set(name, { sealed, key });
    return key;
  }

  return (owner, { current, previous, previousUntil }, { id, sentAt, body }) => {
    const keys = [secretOf(owner, "current", current)];
    const overlaps = previousUntil !== null && sentAt < previousUntil;
    if (previous !== null && overlaps) keys.push(secretOf(owner, "previous", previous));
    const signed = `${id}.${secondsOf(sentAt)}.${body}`;
    return keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`).join(" ");
  };
}

/** As the signature and the header `webhook-timestamp` have it. */
export function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
