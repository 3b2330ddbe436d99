/**
 * One bill, from request to acceptance: the catalogue's price, the customer's validation, group commit. A repeated
 * reference is answered from the record it stands for, whatever the catalogue says today.
 */
import type { GroupCommit } from "../../ledger/group-commit.ts";
import { type KeepReply, type Submitted, submitOnce, unlessMadeBefore } from "../../ledger/submit-once.ts";
import { nairaNumber } from "../../money/kobo.ts";
import { type Database, readEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { ClaimedOrder, HandOver, Starting } from "../../platform/work/rounds.ts";
import { type BillerRails, openRail } from "../../rails/desk.ts";
import { type KnownWallets, requireWallet } from "../../wallets/known-wallets.ts";
import { type LimitPeople, payWithinLimit } from "../../wallets/limit-people.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { type Catalogue, categoryFacts } from "../catalogue/catalogue.ts";
import type { RememberedCatalogues } from "../catalogue/remembered-catalogues.ts";
import type { Rates } from "../rate/rate.ts";
import { type AcceptBill, acceptBill } from "./accept-bill.ts";
import { type Bill, type BillTerms, billList } from "./bill.ts";
import { findBill } from "./bill-store.ts";
import { billProblem } from "./errors.ts";
import { checkSmartCard, findPackage, findTv, priceVend } from "./price-vend.ts";
import { findAlive, findByValidationReference, type Validation } from "./validation-store.ts";
import { differingFields, type VendRequest } from "./vend-request.ts";

export interface BillDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly rails: BillerRails;
  readonly catalogues: RememberedCatalogues;
  readonly knownWallets: KnownWallets;
  readonly vendingDesk: HandOver<ClaimedOrder<Bill>>;
  readonly limitPeople: LimitPeople;
  rates(): Promise<Rates>;
}

export type Buyer = Pick<Caller, "environmentId" | "kind" | "person">;

export async function createBill(
  deps: BillDependencies,
  buyer: Buyer,
  request: VendRequest,
  keep: KeepReply<Bill> | null,
): Promise<Submitted<Bill>> {
  const { environmentId } = buyer;
  const { reference } = request;
  const asked = {
    environmentId,
    find: findBill,
    differing: (earlier: Bill) => differingFields(earlier, request, payingWallet(buyer, request)),
  };
  return unlessMadeBefore(deps.db, { ...asked, list: billList, reference }, async () => {
    const input = await prepare(deps, buyer, request);
    const pay = () => submitOnce(deps, acceptBill, { ...asked, input, keep });
    return payWithinLimit(deps, buyer, { list: billList, reference, amount: input.terms.amount, pay });
  });
}

async function prepare(deps: BillDependencies, buyer: Buyer, request: VendRequest): Promise<AcceptBill> {
  // Money is not taken for what nobody could deliver.
  await openRail(deps.rails.biller, buyer, request.category);
  await requireWallet(deps.knownWallets, buyer.environmentId, request.sourceAccountId);
  const [catalogue, rates] = await Promise.all([deps.catalogues.current(buyer, request.category), deps.rates()]);
  const isRenewal = request.subscriptionType === "renew";
  // What the catalogue does not have is told before the customer's validation is asked for.
  if (isRenewal) checkSmartCard(findTv(catalogue, request.provider), request.customer);
  else priceVend(catalogue, request);
  const validation = await findValidation(deps.db, buyer.environmentId, request);
  const terms = priceVend(catalogue, isRenewal ? renewalOf(catalogue, validation, request) : request);
  await refuseChangedPrice(deps.catalogues, catalogue, validation, terms);
  const customer = { ...terms.customer, name: validation?.customerName ?? null };
  const validUntil = categoryFacts[request.category].requiresValidation ? (validation?.expiresAt ?? null) : null;
  const sourceAccountId = payingWallet(buyer, request);
  const rail = await deps.rails.biller.plain(buyer);
  return {
    reference: request.reference,
    sourceAccountId,
    terms: { ...terms, customer },
    rates,
    validUntil,
    starting: rail?.requestIds === "uuid" ? startingBills(deps.vendingDesk) : null,
  };
}

function payingWallet({ environmentId }: Buyer, { sourceAccountId }: VendRequest): string {
  return sourceAccountId ?? mainWalletId(environmentId);
}

/**
 * Finds what confirms the customer, or refuses with validation_required. Null where the category needs none and there
 * is none. A caller who names a validation of somebody else has mixed up two customers, even if both were validated.
 */
async function findValidation(db: Database, environmentId: string, request: VendRequest): Promise<Validation | null> {
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

/**
 * A bill that goes from its acceptance straight to the sender of the same process. Its caller sees it as accepted. For
 * billers that know a bill by its own id.
 */
function startingBills(desk: HandOver<ClaimedOrder<Bill>>): Starting<Bill> {
  return {
    desk,
    counterparty: ({ provider }) => provider,
    start: (bill) => ({ ...bill, status: "processing", version: bill.version + 1, requestId: bill.id }),
  };
}
