/**
 * Linking the card that a customer has typed in:
 *
 *   pending, declined ──▶ processing (committed) ──▶ linked or declined, by the network's answer (link-order.ts)
 */
import { inEnvironment, readEnvironment } from "../../platform/database/database.ts";
import { openRail, railUser } from "../../rails/desk.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { type CardLink, mostDeclines, shownStatus } from "./card-link.ts";
import { readCardLink, refuseTooManyDeclines } from "./create-card-link.ts";
import { cardProblem } from "./errors.ts";
import { type LinkDependencies, pursueLinks } from "./link-order.ts";
import { claimLink } from "./link-store.ts";

interface Completion {
  readonly environmentId: string;
  readonly linkId: string;
  /** From the vault. */
  readonly cardToken: string;
}

/**
 * Links the card behind a token of the vault and returns the link as it is then: linked, declined, or still
 * processing when the network has not answered. Throws when the link cannot be used.
 */
export async function completeCardLink(
  deps: LinkDependencies,
  { environmentId, linkId, cardToken }: Completion,
): Promise<CardLink> {
  await inEnvironment(deps.db, environmentId, async (tx) => {
    // No try begins that nobody can be asked for: the link would wait for its end for ever.
    await openRail(deps.rails.card, railUser(tx));
    const { customerId } = await readCardLink(tx, linkId);
    // Locks: the customer before the link, as at its end, so that of tries at once the later one sees the other's end.
    await requireCustomer(tx, customerId, { lock: true });
    const attemptId = tx.environment.clock.newId();
    if (!(await claimLink(tx, deps.sealer, { id: linkId, cardToken, attemptId }))) {
      throw whyNot(await readCardLink(tx, linkId), tx.environment.clock.now());
    }
    await refuseTooManyDeclines(tx, customerId);
  });
  await pursueLinks(deps).sendCommitted({ environmentId, id: linkId });
  return readEnvironment(deps.db, environmentId, (tx) => readCardLink(tx, linkId));
}

/** Why a link takes no card now. */
export function whyNot(link: CardLink, now: Date) {
  const status = shownStatus(link, now);
  if (status === "linked") return cardProblem("card_link_used");
  if (status === "stale") return cardProblem("card_link_stale");
  if (status === "declined" && link.declines >= mostDeclines) return cardProblem("card_link_exhausted");
  return cardProblem(status === "expired" ? "card_link_expired" : "card_link_in_progress");
}
