/**
 * A merchant is the business that uses the service. It works in environments: one LIVE, where money is real, and any
 * number of SANDBOX ones, each a small world of its own with its own clock, wallets and keys. The environment, not the
 * merchant, is the tenant: nothing of one environment can be seen from another, of the same merchant or not.
 */
import { type EnvironmentKind, environmentKinds } from "../platform/database/database.ts";

export interface Environment {
  readonly id: string;
  readonly merchantId: string;
  readonly kind: EnvironmentKind;
  readonly name: string;
  readonly createdAt: Date;
}

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
  /** Oldest first: the sandbox that every merchant begins with leads. */
  readonly environments: readonly Environment[];
}

export function isEnvironmentKind(word: string): word is EnvironmentKind {
  return environmentKinds.some((kind) => kind === word);
}

/** A merchant's picture, of a kind that cannot do anything in a browser but be shown. */
export type LogoType = "image/png" | "image/jpeg" | "image/webp";

export interface Logo {
  readonly type: LogoType;
  readonly bytes: Buffer;
}
