/** The last four digits are enough to recognise an account, a card, a telephone, a BVN or an NIN. */
export function maskDigits(digits: string): string {
  return digits.slice(-4).padStart(digits.length, "*");
}
