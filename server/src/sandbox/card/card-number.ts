/**
 * What a card's number tells the simulated network. Only functions of this file and `read-card.ts` ever see a number;
 * what they return does not lead back to it.
 */
import { createHash } from "node:crypto";
import { listBanks } from "../../rails/bank-directory.ts";
import type { CardBrand } from "../../rails/card.ts";
import { wrongCardCode } from "../magic-inputs.ts";

/** What a card does when it is linked and charged. It follows from what was typed in, never from chance. */
export type CardBehaviour = "links" | "declines_link" | "declines_charges" | "asks_holder" | "refunds_slowly";

/** What a test card is to do: when it is linked, or later. */
export type CardOutcome = "linked" | "declined" | "declines_later" | "asks_holder" | "refunds_slowly";

export const behaviourFor: Readonly<Record<CardOutcome, CardBehaviour>> = {
  linked: "links",
  declined: "declines_link",
  declines_later: "declines_charges",
  asks_holder: "asks_holder",
  refunds_slowly: "refunds_slowly",
};

/** The cards that play something else than success; any other number of a known network links and pays. */
export const testNumbers = {
  links: "4084084084084081",
  declines_link: "4084080000005408",
  declines_charges: "5060666666666666666",
  asks_holder: "4084080000003031",
  refunds_slowly: "4084080000007008",
} as const satisfies Record<CardBehaviour, string>;

export function behaviourOf(digits: string, code: unknown): CardBehaviour {
  const test = Object.entries(testNumbers).find(([, number]) => number === digits)?.[0] as CardBehaviour | undefined;
  return test ?? (code === wrongCardCode ? "declines_link" : "links");
}

/** Too short to lead back to a number: each stands for millions of them. Everybody has the test cards, so they have none. */
export function fingerprintOf(digits: string): string | null {
  if (Object.values<string>(testNumbers).includes(digits)) return null;
  return createHash("sha256").update(`fingerprint/${digits}`).digest("hex").slice(0, 8);
}

/** By the first digits, as the networks share them out. Verve stands inside the range of others and comes first. */
const brandPatterns: readonly (readonly [CardBrand, RegExp])[] = [
  ["verve", /^(?:506[01]|507[89]|6500)/],
  ["mastercard", /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ["visa", /^4/],
];

/** Undefined for a network that is not taken here. */
export function brandOf(digits: string): CardBrand | undefined {
  return brandPatterns.find(([, pattern]) => pattern.test(digits))?.[0];
}

/** The issuer, made up from the first six digits, the same every time. */
export function issuerOf(digits: string): string {
  const banks = listBanks("LIVE").filter(({ type }) => type === "commercial");
  return banks[Number(digits.slice(0, 6)) % banks.length]?.name ?? "Test Bank";
}
