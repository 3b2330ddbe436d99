/**
 * Asking a provider whether it has a customer. The answer counts for half an hour of the environment's time: TV and
 * betting are not vended without it.
 */
import { type Database, inEnvironment } from "../platform/database/database.ts";
import type { BillCategory, BillerCustomer, CustomerQuestion } from "../rails/biller.ts";
import { type BillerRails, openRail, type RailUser } from "../rails/desk.ts";
import { billProblem } from "./errors.ts";
import { insertValidation, type Validation } from "./validation-store.ts";

export interface ValidateDependencies {
  readonly db: Database;
  readonly rails: BillerRails;
}

export interface Confirmed extends BillerCustomer {
  readonly validationReference: string;
  readonly expiresAt: Date;
}

const validForMs = 30 * 60_000;

/** Networks do not name their customers; everybody else does, and an empty name confirms nobody. */
function isNamed(category: BillCategory, { name }: BillerCustomer): boolean {
  return category === "airtime" || category === "data" || (name ?? "").trim() !== "";
}

/** Asks outside of any transaction. */
export async function askProvider(
  { rails }: ValidateDependencies,
  user: RailUser,
  question: CustomerQuestion,
): Promise<BillerCustomer> {
  const answer = await (await openRail(rails.biller, user, question.category)).rail.validate(question);
  if (answer.found === "no") throw billProblem("customer_not_found");
  if (answer.found === "unavailable" || !isNamed(question.category, answer.customer)) {
    throw billProblem("biller_unavailable", { headers: { "retry-after": "30" } });
  }
  return answer.customer;
}

/** Remembers that the provider has confirmed the customer. */
export function rememberCustomer(
  { db }: ValidateDependencies,
  question: CustomerQuestion,
  customer: BillerCustomer,
  catalogueVersion: number,
): Promise<Confirmed> {
  return inEnvironment(db, question.environmentId, async (tx) => {
    const { clock } = tx.environment;
    const expiresAt = clock.after(validForMs);
    const validation: Validation = {
      id: clock.newId(),
      category: question.category,
      provider: question.provider,
      customer: question.customer,
      customerName: customer.name,
      packageCode: customer.subscription?.packageCode ?? null,
      catalogueVersion,
      expiresAt,
    };
    await insertValidation(tx, validation);
    return { ...customer, validationReference: validation.id, expiresAt };
  });
}
