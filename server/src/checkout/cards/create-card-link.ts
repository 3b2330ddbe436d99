import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { lagosDate, startOfLagosDay } from "../../platform/time/lagos-date.ts";
import { type CardRails, openRail, railUser } from "../../rails/desk.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { hashPageToken, newPageToken } from "../pages/page-token.ts";
import { type CardLink, linkLifeMs, mostDeclinesPerDay, mostLinksPerDay } from "./card-link.ts";
import { cardProblem, waitProblem } from "./errors.ts";
import { countTries, findLink, insertLink, makeOthersStale } from "./link-store.ts";

export interface LinkDependencies {
  readonly sealer: Sealer;
  readonly rails: CardRails;
  /** Where browsers reach us. */
  readonly publicUrl: string;
}

export interface NewCardLink {
  readonly customerId: string;
  /** Where the page sends the customer when it is done; judged by the caller. */
  readonly callbackUrl: string | null;
}

export interface OpenCardLink {
  readonly id: string;
  /** The page's address, its token in the fragment. */
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Makes a link and takes the place of those that could still be used. Throws card_link_limit_reached when the customer
 * has tried too many today.
 */
export async function createCardLink(tx: Tx, deps: LinkDependencies, wanted: NewCardLink): Promise<OpenCardLink> {
  // Locks: the customer, so that of two links at once one makes the other stale.
  const customer = await requireCustomer(tx, wanted.customerId, { lock: true });
  const { connectionId } = await openRail(deps.rails.card, railUser(tx));
  await refuseTooMany(tx, customer.id);
  await makeOthersStale(tx, customer.id);
  const { clock } = tx.environment;
  const id = clock.newId();
  const token = newPageToken();
  const expiresAt = clock.after(linkLifeMs);
  const tokenHash = hashPageToken(token);
  const { id: customerId, phone } = customer;
  await insertLink(tx, deps.sealer, {
    ...wanted,
    id,
    customerId,
    phone,
    connectionId,
    token,
    tokenHash,
    expiresAt,
  });
  return { id, url: `${deps.publicUrl}/card-links/${id}#${token}`, expiresAt };
}

async function refuseTooMany(tx: Tx, customerId: string): Promise<void> {
  const { links, declines } = await triesToday(tx, customerId);
  if (links < mostLinksPerDay && declines < mostDeclinesPerDay) return;
  const now = tx.environment.clock.now();
  throw waitProblem("card_link_limit_reached", now, startOfLagosDay(lagosDate(now).add({ days: 1 })));
}

/**
 * For the next card on a link. Throws card_link_exhausted: another link, or one at another merchant, starts no new
 * count. The caller holds the customer's lock.
 */
export async function refuseTooManyDeclines(tx: Tx, customerId: string): Promise<void> {
  if ((await triesToday(tx, customerId)).declines >= mostDeclinesPerDay) throw cardProblem("card_link_exhausted");
}

function triesToday(tx: Tx, customerId: string): ReturnType<typeof countTries> {
  return countTries(tx, customerId, startOfLagosDay(lagosDate(tx.environment.clock.now())));
}

/** Throws card_link_not_found. */
export async function readCardLink(tx: Tx, id: string): Promise<CardLink> {
  const link = isUuid(id) ? await findLink(tx, id) : undefined;
  if (link === undefined) throw cardProblem("card_link_not_found");
  return link;
}

/** Where the card page sends the number; null where the card is typed in on the processor's own page. */
export async function readTokenizePath(
  tx: Tx,
  { rails }: { readonly rails: CardRails },
  { customerId, connectionId }: Pick<CardLink, "customerId" | "connectionId">,
): Promise<string | null> {
  const customer = await requireCustomer(tx, customerId);
  return (await rails.card.bound(railUser(tx), connectionId)).tokenizePath(customer);
}
