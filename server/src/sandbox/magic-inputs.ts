/**
 * What a merchant writes into a sandbox to choose an outcome, besides test cards (card/card-number.ts) and the banks
 * that exist in sandboxes only. The guide lists all of it, and a test holds the two against each other.
 */

/** At the end of a reference, after an underscore. */
export const referenceEndings = ["FAIL", "PENDING", "TIMEOUT", "REVERSE"] as const;
export type ReferenceEnding = (typeof referenceEndings)[number];

/** Undefined without one of them. */
export function referenceEnding(reference: string): ReferenceEnding | undefined {
  const word = /_([A-Z]+)$/.exec(reference)?.[1];
  return referenceEndings.find((ending) => ending === word);
}

/** At no bank. */
export const unknownAccount = "0000000000";
/** With no provider, however long. */
export const unknownSmartCard = /^0+$/;
export const unknownBettor = "0000";

/** The security code that is wrong on every card but the test cards, which take any. */
export const wrongCardCode = "000";
/** Customers with such an e-mail type their cards in on the bank's own page, as with some processors. */
export const bankPageMail = "@bank-page.example";

/** A BVN that ends so belongs to somebody else. */
export const foreignBvnEnding = "0000";
/** BVNs that begin so, with any four digits behind, play what else a register says. */
export const playedBvns = {
  /** Name and birthday fit, and the phone in the register is another one. */
  otherPhone: "2220001",
  /** Nobody has the number. */
  noRecord: "2220002",
  /** The register cannot be asked, ever. */
  registerAway: "2220003",
} as const;
