/**
 * The port to the identity registers (BVN and NIN), by way of a provider. An adapter (the provider's interface,
 * the sandbox's simulation) implements it. Every call has a time-out and no call is made inside a database transaction.
 *
 * It answers one question: do these numbers belong to a person of this name and birthday? A question changes nothing,
 * so that one without an answer is asked again. Unavailable is not mismatched: nobody is refused because a register was
 * down.
 */
import type { Hold } from "./answer.ts";

export interface IdentityQuestion {
  readonly environmentId: string;
  /** 11 digits. */
  readonly bvn: string;
  /** 11 digits, where the customer gave one. */
  readonly nin: string | null;
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null;
}

export type IdentityAnswer =
  | { readonly outcome: "matched" }
  /** The reason is for people and names no number. */
  | { readonly outcome: "mismatched"; readonly reason: string }
  | { readonly outcome: "unavailable"; readonly hold?: Hold };

export interface IdentityRail {
  readonly name: string;
  verify(question: IdentityQuestion): Promise<IdentityAnswer>;
}
