/**
 * Money is a whole number of kobo (1 naira = 100 kobo), carried as a branded bigint so that a plain number
 * can never be mistaken for an amount. On the wire money is naira: a JSON number with at most two decimals,
 * or a decimal string with exactly two. Translation happens here and nowhere else, by digits and never by
 * floating-point arithmetic, so that what a person typed is what is booked.
 */
export type Kobo = bigint & { readonly unit: "kobo" };

export const zeroKobo = 0n as Kobo;

export function kobo(value: bigint): Kobo {
  return value as Kobo;
}

const wireNaira = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/;

/**
 * Reads naira from its decimal digits. Returns undefined for anything that is not a number with at most two
 * decimals: exponents, more decimals, blanks. It never rounds.
 */
export function parseNaira(digits: string): Kobo | undefined {
  const parts = wireNaira.exec(digits);
  if (parts === null) return undefined;
  const [, sign, whole = "", fraction = ""] = parts;
  const magnitude = BigInt(whole + fraction.padEnd(2, "0"));
  return kobo(sign === "-" ? -magnitude : magnitude);
}

/** JavaScript prints the shortest digits that give the same number back, which are the digits that were sent. */
export function nairaFromNumber(value: number): Kobo | undefined {
  return parseNaira(String(value));
}

/** "50000.00": the form of the loans family on fetch and list. */
export function nairaString(amount: Kobo): string {
  const sign = amount < 0n ? "-" : "";
  const digits = String(amount < 0n ? -amount : amount).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A JSON number of naira. Exact below ten trillion naira (fifteen digits of kobo), far above what an account holds. */
export function nairaNumber(amount: Kobo): number {
  return Number(nairaString(amount));
}
