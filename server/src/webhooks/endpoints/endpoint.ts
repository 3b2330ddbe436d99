/**
 * An endpoint is an address of the merchant's to which events are sent, all of them or those it names. Each has a
 * secret of its own, with which every message is signed; after a rotation the old secret signs too, until its overlap
 * ends, so that receivers can change over without missing a message.
 *
 * An endpoint is disabled by its merchant, by answering 410, or by failing for five days without one success. What
 * happens meanwhile is kept as held deliveries, which the merchant can have sent again.
 */
export const mostEndpoints = 20;

export const disabledReasons = {
  merchant: "Disabled through the API.",
  gone: "The endpoint answered 410 Gone.",
  failing: "Every delivery failed for five days.",
} as const;

export type DisabledReason = keyof typeof disabledReasons;

/** An endpoint among those of all environments: sandboxes that were frozen alike have endpoints of one id. */
export interface EndpointKey {
  readonly environmentId: string;
  readonly endpointId: string;
}

export function keyOf({ environmentId, endpointId }: EndpointKey): string {
  return `${environmentId}/${endpointId}`;
}

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  /** In real time, like every end of a secret. */
  readonly previousSecretUntil: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function isDisabledReason(word: string): word is DisabledReason {
  return word in disabledReasons;
}

/** An endpoint that asks for this is sent every event, also those that are added later. */
export const everyEvent = "*";

/** The event that a merchant asks for to try an endpoint out. */
export const testEvent = "webhook.test";

/** How long the old secret signs too, after a rotation. */
export const defaultOverlapSeconds = 86_400;
