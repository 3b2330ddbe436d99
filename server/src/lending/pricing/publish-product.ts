/** An operator publishes terms of loans: checked as a whole, from a date on. Loans keep the version that priced them. */
import type { Tx } from "../../platform/database/database.ts";
import type { FieldError } from "../../platform/problem.ts";
import { type Figures, publishVersion, versionAt } from "../../platform/records/dated-version.ts";
import { type LoanProduct, type TenorType, tenorTypes } from "./product.ts";
import { insertProduct, readProducts } from "./product-store.ts";
import { checkoutCode, type NewVersion, productId } from "./products.ts";

/** In units of the tenor type; some years each. */
export const longestTenors = { daily: 366, weekly: 260, monthly: 120 } as const satisfies Record<TenorType, number>;

/** What somebody who lends by a product knows against a new version of it. */
export interface ProductUse {
  productInUseFaults(tx: Tx, product: LoanProduct): Promise<FieldError[]>;
}

export interface PublishProduct extends ProductUse {
  readonly version: number;
  readonly terms: NewVersion;
  readonly confirmed: boolean;
}

/** Works inside the environment. The same version and content again changes nothing. */
export async function publishTerms(tx: Tx, command: PublishProduct) {
  const { version, terms, confirmed } = command;
  const wanted: LoanProduct = { ...terms, id: productId(tx, terms.code), version };
  const versions = async () => (await readProducts(tx)).filter(({ code }) => code === terms.code);
  return publishVersion({
    wanted,
    now: tx.environment.clock.now(),
    confirmed,
    find: async (number) => (await versions()).find((each) => each.version === number),
    latest: async () => Math.max(0, ...(await versions()).map((each) => each.version)),
    inForceAt: async (moment) => versionAt(await versions(), moment),
    faults: async (product) => {
      const own = productFaults(product);
      return own.length > 0 ? own : command.productInUseFaults(tx, product);
    },
    figures: figuresOf,
    insert: (product) => insertProduct(tx, product),
  });
}

/** What a schema cannot see. */
function productFaults(product: LoanProduct): FieldError[] {
  const { code, minimumAmount, maximumAmount, tenors } = product;
  const offered = tenorTypes.filter((type) => tenors[type] !== undefined);
  return [
    ...(minimumAmount <= maximumAmount ? [] : [{ field: "maxAmount", message: "must not be below minAmount" }]),
    ...(offered.length > 0 ? [] : [{ field: "tenors", message: "must offer at least one of daily, weekly, monthly" }]),
    ...(code !== checkoutCode || offered.join() === "monthly"
      ? []
      : [{ field: "tenors", message: "must offer monthly and nothing else: the checkout counts in months" }]),
    ...offered.flatMap((type) => tenorFaults(product, type)),
  ];
}

function tenorFaults({ tenors }: LoanProduct, type: TenorType): FieldError[] {
  const offer = tenors[type];
  if (offer === undefined) return [];
  const [field, most] = [`tenors.${type}.longest`, longestTenors[type]];
  if (offer.longest < offer.shortest) return [{ field, message: "must not be below shortest" }];
  return offer.longest <= most ? [] : [{ field, message: `must be at most ${most}` }];
}

function figuresOf({ minimumAmount, maximumAmount, tenors, fee, lateFee }: LoanProduct): Figures {
  const rates = tenorTypes.map((type) => [`tenors.${type}.interestPercent`, tenors[type]?.rate ?? 0n] as const);
  return {
    minAmount: minimumAmount,
    maxAmount: maximumAmount,
    ...Object.fromEntries(rates),
    "fee.percent": fee.rate,
    "fee.fixed": fee.fixed,
    "lateFee.percent": lateFee.rate,
    "lateFee.minimum": lateFee.minimum,
  };
}
