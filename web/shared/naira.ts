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
