/**
 * A connection is one account of ours at one provider.
 *
 *   active ◀──▶ paused
 *      └────┬─────┘
 *           ▼
 *        retired        takes no new orders and still answers for its old ones
 *
 * Besides its state, which an operator sets, it may be held: the provider has said that it takes no orders (an empty
 * float, a refused key). A hold ends when the checks pass again.
 */
import type { Kobo } from "../../money/kobo.ts";
import type { Hold, HoldReason } from "../answer.ts";
import type { ConnectionCheck, ConnectionMode, Port } from "../provider.ts";
import { isSafeAddress } from "../safe-address.ts";

export const ports = ["bank", "biller", "card", "message", "identity", "inbound"] as const satisfies readonly Port[];

export const connectionTransitions = {
  active: ["paused", "retired"],
  paused: ["active", "retired"],
  retired: [],
} as const satisfies Record<string, readonly string[]>;

export type ConnectionState = keyof typeof connectionTransitions;

export interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly mode: ConnectionMode;
  readonly ports: readonly Port[];
  readonly baseUrl: string;
  readonly sealedCredentials: Buffer;
  readonly state: ConnectionState;
  readonly hold: (Hold & { readonly since: Date }) | null;
  readonly checks: readonly ConnectionCheck[];
  readonly checksPassed: boolean;
  readonly checkedAt: Date;
  readonly float: { readonly available: Kobo; readonly readAt: Date } | null;
  /** Grows with whatever makes another connection of it. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const holdWords: Readonly<Record<HoldReason, string>> = {
  float_empty: "The balance at the provider does not cover orders. Top it up.",
  keys_refused: "The provider refuses our keys. Replace the credentials.",
  address_refused: "The provider refuses our server's address. Have it put on the provider's list.",
  otp_required: "The provider wants a one-time code for each order. Switch that off in its dashboard.",
  not_enabled: "The provider has not enabled this product for our account. Ask its support.",
};

export function canMove(from: ConnectionState, to: ConnectionState): boolean {
  return (connectionTransitions[from] as readonly string[]).includes(to);
}

export function hasPassed(checks: readonly ConnectionCheck[]): boolean {
  return checks.every(({ result }) => result !== "failed");
}

/** A provider's base address: nothing beside host and path. */
export function isTrustedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const { username, password, search, hash } = url;
  return username === "" && password === "" && search === "" && hash === "" && isSafeAddress(url);
}
