/**
 * The port to the identity registers (BVN and NIN), by way of a provider. An adapter (the provider's interface,
 * the sandbox's simulation) implements it. Every call has a time-out and no call is made inside a database transaction.
 *
 * It answers two questions. Do these numbers belong to a person of this name and birthday? And is this phone the one in
 * the register? The first is knowledge that a thief can buy; the second tells whether a code that is sent there reaches
 * the person. A question changes nothing, so that one without an answer is asked again. Unavailable is not mismatched:
 * nobody is refused because a register was down.
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
  /** E.164. */
  readonly phone: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null;
}

/** Untold where the register keeps none or does not tell: that proves nothing, and refuses nobody. */
export type PhoneFit = "fits" | "differs" | "untold";

export type IdentityAnswer =
  | { readonly outcome: "matched"; readonly phone: PhoneFit }
  /** The reason is for people and names no number. */
  | { readonly outcome: "mismatched"; readonly reason: string }
  | { readonly outcome: "unavailable"; readonly hold?: Hold };

export interface IdentityRail {
  readonly name: string;
  verify(question: IdentityQuestion): Promise<IdentityAnswer>;
}
