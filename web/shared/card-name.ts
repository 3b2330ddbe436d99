/** Visa card ending 4081. */
export function cardName({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} card ending ${last4}`;
}
