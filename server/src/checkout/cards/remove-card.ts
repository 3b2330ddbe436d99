import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { setDefaultCard } from "../customers/customer-store.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { openStatuses } from "../loans/checkout-loan.ts";
import { readLoansOf } from "../loans/checkout-loan-store.ts";
import { markRemoved, readCards } from "./card-store.ts";
import { cardProblem } from "./errors.ts";
import { unlinkTask } from "./tasks.ts";

/**
 * Takes a card away. The default passes on to the card linked last. Throws card_not_found, or card_in_use when there
 * would be nothing left to charge for a loan that is not finished.
 */
export async function removeCard(
  tx: Tx,
  { customerId, cardId }: { readonly customerId: string; readonly cardId: string },
): Promise<void> {
  // Locks: the customer, so that of two removals at once the second sees that one card is left.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const cards = await readCards(tx, customer.id);
  const card = isUuid(cardId) ? cards.find(({ id }) => id === cardId.toLowerCase()) : undefined;
  if (card === undefined) throw cardProblem("card_not_found");
  const [next] = cards.filter(({ id }) => id !== card.id);
  if (next === undefined && (await readLoansOf(tx, customer.id, openStatuses)).length > 0) {
    throw cardProblem("card_in_use");
  }
  await markRemoved(tx, card.id);
  if (card.isDefault) await setDefaultCard(tx, customer.id, next?.id ?? null);
  await schedule(tx, [{ kind: unlinkTask, subject: card.id }]);
}
