/** Finding and publishing loan products. */
import { derivedAccountId } from "../../ledger/account.ts";
import { kobo, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { LoanProduct } from "./product.ts";
import { findProductInForce, insertProduct } from "./product-store.ts";

/** The product of loan requests. */
export const standardCode = "standard";
/** The product of loans at the checkout. */
export const checkoutCode = "checkout";

/** The product that new loans of this code are made with, at the environment's time. */
export function findProduct(tx: Tx, code: string = standardCode): Promise<LoanProduct> {
  return findProductAt(tx, code, tx.environment.clock.now());
}

/** As it is planned now. */
export async function findProductAt(tx: Tx, code: string, moment: Date): Promise<LoanProduct> {
  const product = await findProductInForce(tx, code, moment);
  if (product === undefined) throw new Error(`environment ${tx.environment.id} has no loan product ${code}`);
  return product;
}

/** What a new version says; loans made before keep theirs. */
export type NewVersion = Omit<LoanProduct, "id" | "version">;

/** Puts terms in force from their date on. Versions of one code share an id and are never changed. */
export async function publishProduct(tx: Tx, version: number, terms: NewVersion): Promise<LoanProduct> {
  const product = { ...terms, id: productId(tx, terms.code), version };
  await insertProduct(tx, product);
  return product;
}

/** All versions of a code have it. */
export function productId(tx: Tx, code: string): string {
  return derivedAccountId(tx.environment.id, `loan product ${code}`);
}

/** What every environment starts with. In force since long ago, because a sandbox's clock may be set back. */
export const standardProduct: NewVersion = {
  code: standardCode,
  name: "Standard",
  description: "Flat interest per period, no fee up front, one day of grace.",
  effectiveFrom: new Date("2000-01-01T00:00:00.000Z"),
  interestMethod: "flat",
  minimumAmount: kobo(100_000n),
  maximumAmount: kobo(500_000_000n),
  tenors: {
    daily: { shortest: 7, longest: 90, rate: 2_000n },
    weekly: { shortest: 1, longest: 52, rate: 10_000n },
    monthly: { shortest: 1, longest: 24, rate: 40_000n },
  },
  fee: { rate: 0n, fixed: zeroKobo },
  lateFee: { rate: 10_000n, minimum: kobo(10_000n) },
  graceDays: 1,
};

/** Of the same kind. Environments that were there before it were given it by a migration with the same terms. */
export const checkoutProduct: NewVersion = {
  code: checkoutCode,
  name: "Checkout",
  description: "Flat interest per month, no fee up front, one day of grace.",
  effectiveFrom: standardProduct.effectiveFrom,
  interestMethod: "flat",
  minimumAmount: kobo(500_000n),
  maximumAmount: kobo(100_000_000n),
  tenors: { monthly: { shortest: 1, longest: 12, rate: 25_000n } },
  fee: standardProduct.fee,
  lateFee: standardProduct.lateFee,
  graceDays: standardProduct.graceDays,
};
