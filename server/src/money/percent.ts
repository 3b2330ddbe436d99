/**
 * Percent on the wire, as a JSON number, and whole parts inside: with two decimals a part is a basis point. Read and
 * written by digits, because no rate is ever rounded.
 */

/** Undefined for what is negative or has more decimals. */
export function percentParts(percent: number, decimals: number): bigint | undefined {
  const [, whole, fraction = ""] = /^(\d{1,9})(?:\.(\d+))?$/.exec(String(percent)) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

export function percentNumber(parts: bigint, decimals: number): number {
  const perPercent = 10n ** BigInt(decimals);
  return Number(`${parts / perPercent}.${String(parts % perPercent).padStart(decimals, "0")}`);
}
