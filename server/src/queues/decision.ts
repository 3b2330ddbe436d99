/**
 * What waits for an operator's word. Rules decide about most; a person decides about a live merchant's loans, about
 * loans whose payouts failed too often, about contact data that a customer cannot confirm, and about identities that
 * no register has confirmed.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";

export interface DecisionFilter {
  readonly kind: string | null;
  readonly environment: EnvironmentKind | null;
}

export interface Decision {
  readonly kind: string;
  readonly id: string;
  /** Null where a merchant asked for an applicant of its own. */
  readonly customerId: string | null;
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly merchantId: string;
  readonly merchant: string;
  readonly name: string;
  readonly amount: bigint | null;
  readonly detail: string | null;
  readonly since: Date;
  /** In the environment's time. */
  readonly ageSeconds: number;
}
