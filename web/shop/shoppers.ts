/** People who shop here. The first one is always the same, so that a second order is that of a returning customer. */
import type { Shopper } from "./shop-api.ts";

export const firstShopper: Shopper = {
  firstName: "Ada",
  lastName: "Obi",
  email: "ada.obi@example.com",
  phone: "08031234678",
  bvn: "22212345678",
};

const names = [
  ["Chidi", "Eze"],
  ["Funke", "Adeyemi"],
  ["Halima", "Bello"],
  ["Tunde", "Bakare"],
  ["Ngozi", "Okafor"],
] as const;

/** Somebody nobody has seen before: a new BVN is a new customer. `random` gives numbers from 0 up to 1. */
export function newShopper(random: () => number): Shopper {
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
  const [firstName, lastName] = names[Math.floor(random() * names.length)] ?? names[0];
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    phone: `0803${digits(7)}`,
    // It must not end in 0000 by chance: the sandbox refuses those.
    bvn: `223${digits(7)}1`,
  };
}

/** Whom the sandbox takes for somebody else: a BVN that ends in 0000 never matches. */
export function refusedShopper(random: () => number): Shopper {
  const shopper = newShopper(random);
  return { ...shopper, bvn: `${shopper.bvn.slice(0, 7)}0000` };
}
