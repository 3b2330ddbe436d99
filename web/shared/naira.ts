/** Amounts arrive as naira with at most two decimals and are only shown here, never calculated with. */
const whole = new Intl.NumberFormat("en-NG", {
  style: "currency",
  currency: "NGN",
  currencyDisplay: "narrowSymbol",
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat("en-NG", {
  style: "currency",
  currency: "NGN",
  currencyDisplay: "narrowSymbol",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** ₦45,000 or ₦15,375.50: kobo appear where there are any. */
export function formatNaira(amount: number): string {
  return Number.isInteger(amount) ? whole.format(amount) : exact.format(amount);
}

/** ₦45,000.00, for columns in which amounts stand below each other. */
export function formatNairaExactly(amount: number): string {
  return exact.format(amount);
}

/**
 * "₦1,234.50" without its sign, blanks and commas: 1234.50. A comma stands between groups of three digits; where it
 * does not, as in 2500,50, it means something else. It stays then: the text is no amount, and not a hundred times one.
 */
export function plainAmount(text: string): string {
  const bare = text.replaceAll(/[₦\s]/g, "");
  return /^\d{1,3}(,\d{3})+(?!\d|,)/.test(bare) ? bare.replaceAll(",", "") : bare;
}
