/** What the demo shop sells. Prices are the shop's own: an order names a product, never an amount. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Naira. */
  readonly price: number;
}

export const products: readonly Product[] = [
  {
    id: "fan",
    name: "Rechargeable fan",
    description: "Eighteen inches, eight hours without light.",
    price: 68_500,
  },
  {
    id: "phone",
    name: "Kora A3 phone",
    description: "128 GB, two SIMs, two days on one charge.",
    price: 129_900,
  },
  {
    id: "blender",
    name: "Pepper blender",
    description: "Grinds a full pot in one go. Steel blades.",
    price: 41_000,
  },
  {
    id: "lamp",
    name: "Solar lamp set",
    description: "Three lamps, one panel, a phone charger.",
    price: 24_750,
  },
  {
    id: "machine",
    name: "Sewing machine",
    description: "Twelve stitches, hand wheel and motor.",
    price: 94_000,
  },
  {
    id: "freezer",
    name: "Chest freezer",
    description: "Two hundred litres, cold through the night.",
    price: 285_000,
  },
];

export function findProduct(id: string): Product | undefined {
  return products.find((product) => product.id === id);
}

/** An order's reference begins with its product, so that the shop need not remember its orders. */
export function productOfReference(reference: string): Product | undefined {
  return findProduct(reference.split("-")[0] ?? "");
}
