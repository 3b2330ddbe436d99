/** The validation that a vend stands on. */
import { nairaNumber } from "../money/kobo.ts";
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import type { BillTerms } from "./bill.ts";
import type { Catalogue } from "./catalogue.ts";
import { categoryFacts } from "./catalogue.ts";
import { billProblem } from "./errors.ts";
import { findPackage } from "./price-vend.ts";
import type { RememberedCatalogues } from "./remembered-catalogues.ts";
import { findAlive, findByValidationReference, type Validation } from "./validation-store.ts";
import type { VendRequest } from "./vend-request.ts";

/**
 * Finds what confirms the customer, or refuses with validation_required. Null where the category needs none and there
 * is none. A caller who names a validation of somebody else has mixed up two customers, even if both were validated.
 */
export async function findValidation(
  db: Database,
  environmentId: string,
  request: VendRequest,
): Promise<Validation | null> {
  // Networks do not name their customers, so there is nothing to find.
  if (request.category === "airtime" || request.category === "data") return null;
  const find = async (tx: Tx): Promise<Validation | null> => {
    const { validationReference } = request;
    if (validationReference !== null) {
      const named = await findByValidationReference(tx, validationReference);
      if (named !== undefined && !isAbout(named, request)) throw billProblem("validation_required");
    }
    return (await findAlive(tx, request)) ?? null;
  };
  const found = await readEnvironment(db, environmentId, find);
  if (found === null && categoryFacts[request.category].requiresValidation) throw billProblem("validation_required");
  return found;
}

function isAbout(validation: Validation, { category, provider, customer }: VendRequest): boolean {
  return validation.category === category && validation.provider === provider && validation.customer === customer;
}

/** A renewal buys what the provider said runs on the card; a request may name it too, but no other. */
export function renewalOf(catalogue: Catalogue, validation: Validation | null, request: VendRequest): VendRequest {
  const running = findPackage(catalogue, request.provider, validation?.packageCode ?? null);
  if (running === undefined) throw billProblem("nothing_to_renew");
  const { packageCode, amount } = running;
  if (request.productCode !== null && request.productCode !== packageCode) {
    throw billProblem("package_not_current", {
      message: `The card runs ${packageCode}, and only that can be renewed. For another package send subscriptionType change.`,
      data: { currentPackage: packageCode, renewalAmount: nairaNumber(amount) },
    });
  }
  return { ...request, productCode: packageCode };
}

/** The customer was shown a price when it was validated; another one is not taken in silence. */
export async function refuseChangedPrice(
  catalogues: RememberedCatalogues,
  current: Catalogue,
  validation: Validation | null,
  terms: BillTerms,
): Promise<void> {
  if (terms.category !== "tv" || validation === null || validation.catalogueVersion === current.version) return;
  const then = findPackage(await catalogues.version(validation.catalogueVersion), terms.provider, terms.product.code);
  if (then === undefined || then.amount === terms.amount) return;
  throw billProblem("price_changed", {
    data: {
      packageCode: terms.product.code,
      validatedAmount: nairaNumber(then.amount),
      amount: nairaNumber(terms.amount),
    },
  });
}
