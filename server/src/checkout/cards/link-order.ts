/**
 * A try to link a card as an order to the card network. The network knows each try by its own id and gives it one
 * answer, however often it is asked, so to ask about one is to send it again. The card, the customer's default, the
 * event and the loans that waited for a card move together.
 */
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { Unknown } from "../../rails/answer.ts";
import type { CardLinkAnswer, CardRefusal, LinkedCard, PageLeft } from "../../rails/card.ts";
import type { CardRails } from "../../rails/desk.ts";
import { askedBySending, type OpenOrder, type OrderKey } from "../../rails/order.ts";
import { countQueries } from "../../rails/orders.ts";
import { type Pursuit, pursue } from "../../rails/pursue-order.ts";
import { namesMatch } from "../../transfers/names/name-match.ts";
import type { Customer } from "../customers/customer.ts";
import { proveIdentity, setDefaultCard } from "../customers/customer-store.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { meetRequirementsOf, type RequirementDependencies } from "../loans/meet-requirements.ts";
import { presentCard } from "./card.ts";
import { type CardLink, linkResource, mostDeclines } from "./card-link.ts";
import { findCard, insertCard, insertRefusal, lockRefusals, markRemoved } from "./card-store.ts";
import { linkTask, unlinkTask, waitAfterDeclines } from "./charge.ts";
import { readCardLink } from "./create-card-link.ts";
import { endAttempt, leavePage, lockAttempt, openCardToken, openRedirectUrl, type PageAttempt } from "./link-store.ts";

export interface LinkDependencies extends RequirementDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: CardRails;
  readonly log: Logger;
}

interface LinkOrder {
  /** The link's. */
  readonly id: string;
  readonly attemptId: string;
  readonly customerId: string;
  readonly connectionId: string | null;
  /** Null where the card is typed in on the processor's page. */
  readonly cardToken: string | null;
}

export function pursueLinks(deps: LinkDependencies): Pursuit<LinkOrder> {
  const send = async (key: OrderKey, { attemptId: linkId, customerId, connectionId, cardToken }: LinkOrder) => {
    const rail = await deps.rails.card.bound(key, connectionId);
    return rail.link({ environmentId: key.environmentId, linkId, customerId, cardToken });
  };
  return pursue<LinkOrder, LinkVerdict | PageLeft>(deps, {
    noun: "card link",
    rail: "the card network",
    task: linkTask,
    find: (tx, id) => findOrder(tx, deps.sealer, id),
    ...askedBySending(send),
    countQueries: (tx, links) => countQueries(tx, "card_links", links),
    end: ({ environmentId }, order, answer) =>
      inEnvironment(deps.db, environmentId, async (tx) => {
        if (answer.outcome === "left") return leave(tx, deps, order);
        await end(tx, deps, order, answer);
        return true;
      }),
  });
}

async function findOrder(tx: Tx, sealer: Sealer, id: string): Promise<OpenOrder<LinkOrder> | undefined> {
  const { status, attemptId, customerId, connectionId } = await readCardLink(tx, id);
  if (status !== "processing" || attemptId === null) return undefined;
  const cardToken = (await openCardToken(tx, sealer, id)) ?? null;
  return { order: { id, attemptId, customerId, connectionId, cardToken }, status, sentForMs: 0 };
}

async function end(tx: Tx, deps: LinkDependencies, order: LinkOrder, answer: LinkVerdict): Promise<void> {
  const { id, attemptId, customerId } = order;
  // Locks: the customer before the link and the loans, as where consent is given.
  await requireCustomer(tx, customerId, { lock: true });
  // Somebody else who asked was faster.
  const link = await lockAttempt(tx, id, attemptId);
  if (link === undefined) return;
  const verdict = await judgeLinkAnswer(tx, deps.sealer, attemptId, answer);
  if (verdict.outcome === "declined") {
    if (answer.outcome === "linked") await letGo(tx, deps.sealer, link, answer.card);
    return endAsDeclined(tx, { id, attemptId }, verdict);
  }
  const cardId = await insertCard(tx, deps.sealer, { link, card: verdict.card });
  const withCard = await setDefaultCard(tx, customerId, cardId);
  const customer = isHolder(withCard, verdict.card) ? await proveIdentity(tx, customerId, "card") : withCard;
  await announceLink(tx, await endAttempt(tx, { id, attemptId, end: { to: "linked", cardId } }));
  await meetRequirementsOf(tx, deps, customer);
}

/** A card in the customer's own name is something that a thief of a BVN does not have. */
function isHolder({ firstName, lastName }: Customer, { holder }: LinkedCard): boolean {
  return holder !== undefined && namesMatch(`${firstName} ${lastName}`, holder);
}

async function endAsDeclined(tx: Tx, { id, attemptId }: PageAttempt, { code, message }: CardRefusal): Promise<void> {
  await announceLink(tx, await endAttempt(tx, { id, attemptId, end: { to: "declined", code, message } }));
}

/** The processor has no page for this holder. */
export async function declineAttempt(
  tx: Tx,
  attempt: PageAttempt & Pick<LinkOrder, "customerId">,
  refusal: CardRefusal,
): Promise<void> {
  // Locks: the customer before the link, as where a card is linked.
  await requireCustomer(tx, attempt.customerId, { lock: true });
  if ((await lockAttempt(tx, attempt.id, attempt.attemptId)) === undefined) return;
  await endAsDeclined(tx, attempt, refusal);
}

/**
 * A page that a holder was sent to is believed to be left only when the link has run out: until then the holder may be
 * on the way, and a processor may need a moment to know its own page.
 */
async function leave(tx: Tx, { sealer }: LinkDependencies, { id, attemptId, cardToken }: LinkOrder): Promise<boolean> {
  if (cardToken !== null) return false;
  const { expiresAt } = await readCardLink(tx, id);
  const wasOpened = (await openRedirectUrl(tx, sealer, id)) !== undefined;
  if (wasOpened && expiresAt > tx.environment.clock.now()) return false;
  await leavePage(tx, { id, attemptId });
  return true;
}

/** The network has linked what we refuse: it is to forget the card, which binds its customer to nobody. */
export async function letGo(tx: Tx, sealer: Sealer, link: CardLink, card: LinkedCard): Promise<void> {
  const cardId = await insertCard(tx, sealer, { link, card: { ...card, fingerprint: null } });
  await markRemoved(tx, cardId);
  await schedule(tx, [{ kind: unlinkTask, subject: cardId }]);
}

/** What a merchant hears about card links. */

/** Tells how a try ended. */
async function announceLink(tx: Tx, link: CardLink): Promise<void> {
  const card = link.cardId === null ? undefined : await findCard(tx, link.cardId);
  await recordEvents(tx, [
    {
      event: link.status === "linked" ? "customer.card.link.successful" : "customer.card.link.failed",
      resourceType: linkResource,
      resourceId: link.id,
      resourceVersion: link.version,
      data: {
        customer_id: link.customerId,
        link_id: link.id,
        card: card === undefined ? null : presentCard(card),
        reason: link.failure,
      },
    },
  ]);
}

/**
 * A thief who has a card's number guesses at the rest, each time as another customer. The network tells which card it
 * refused only with its answer, so that is the moment to count: a card that was refused a few times, to any customer,
 * is refused by us until a wait is over, also when the guess was right. Tries in that time count for the link and the
 * person alone.
 */
export type LinkVerdict = Exclude<CardLinkAnswer, Unknown | PageLeft>;

const countedForMs = 24 * 60 * 60_000;
const minuteMs = 60_000;

/** The network's answer, or a refusal in its place. */
export async function judgeLinkAnswer(
  tx: Tx,
  sealer: Sealer,
  attemptId: string,
  answer: LinkVerdict,
): Promise<LinkVerdict> {
  const fingerprint = (answer.outcome === "linked" ? answer.card.fingerprint : answer.fingerprint) ?? null;
  if (fingerprint === null) return answer;
  const now = tx.environment.clock.now();
  const since = new Date(now.getTime() - countedForMs);
  const { count, lastAt } = await lockRefusals(tx, sealer, fingerprint, since);
  // Who mistypes may try again at once, as often as one link allows.
  const waits = count < mostDeclines ? 0 : waitAfterDeclines(count - mostDeclines + 1);
  const leftMs = (lastAt?.getTime() ?? 0) + waits - now.getTime();
  if (waits > 0 && leftMs > 0) return tooOften(Math.ceil(leftMs / minuteMs));
  if (answer.outcome === "declined") await insertRefusal(tx, sealer, attemptId, fingerprint);
  return answer;
}

function tooOften(minutes: number): LinkVerdict {
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const message = `This card was refused too often. Use another card, or try this one again in ${wait}.`;
  return { outcome: "declined", code: "card_refused_too_often", message };
}
