/**
 * Linking a card. It may be killed at any line:
 *
 *   pending, declined ──▶ processing (committed) ──▶ card network ──▶ definite answer: linked or declined
 *                                                        └──────────▶ no answer: asked again by the agenda
 *
 * The network knows each try by its own id and gives it one answer, however often it is asked. The card, the customer's
 * default, the event and the loans that waited for a card move together.
 */
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { delayAfter } from "../../rails/ask-again.ts";
import type { CardLinkAnswer } from "../../rails/card.ts";
import { type CardRails, cardRailFor } from "../../rails/registry.ts";
import { setDefaultCard } from "../customers/customer-store.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { meetRequirementsOf, type RequirementDependencies } from "../loans/meet-requirements.ts";
import { announceLink } from "./announce-link.ts";
import { type CardLink, mostDeclines, shownStatus } from "./card-link.ts";
import { insertCard } from "./card-store.ts";
import { readCardLink } from "./create-card-link.ts";
import { cardProblem } from "./errors.ts";
import { claimLink, countLinkQuery, endAttempt, lockAttempt, openCardToken } from "./link-store.ts";
import { linkTask } from "./tasks.ts";

export interface CompleteDependencies extends RequirementDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: CardRails;
}

export interface LinkKey {
  readonly environmentId: string;
  readonly linkId: string;
}

/**
 * Links the card behind a token of the vault and answers with the link as it is then: linked, declined, or still
 * processing when the network has not answered. Throws when the link cannot be used.
 */
export async function completeCardLink(
  deps: CompleteDependencies,
  { environmentId, linkId, cardToken }: LinkKey & { readonly cardToken: string },
): Promise<CardLink> {
  await inEnvironment(deps.db, environmentId, async (tx) => {
    const attemptId = tx.environment.clock.newId();
    if (await claimLink(tx, deps.sealer, { id: linkId, cardToken, attemptId })) return;
    throw whyNot(await readCardLink(tx, linkId), tx.environment.clock.now());
  });
  await askNetwork(deps, { environmentId, linkId });
  return inEnvironment(deps.db, environmentId, (tx) => readCardLink(tx, linkId), { readOnly: true });
}

function whyNot(link: CardLink, now: Date) {
  const status = shownStatus(link, now);
  if (status === "linked") return cardProblem("card_link_used");
  if (status === "stale") return cardProblem("card_link_stale");
  if (status === "declined" && link.declines >= mostDeclines) return cardProblem("card_link_exhausted");
  return cardProblem(status === "expired" ? "card_link_expired" : "card_link_in_progress");
}

/** Asks about the try under way, for the first time or again. */
export async function askNetwork(deps: CompleteDependencies, { environmentId, linkId }: LinkKey): Promise<void> {
  const { db, sealer, rails } = deps;
  const question = await inEnvironment(db, environmentId, (tx) => readQuestion(tx, sealer, linkId), { readOnly: true });
  if (question === undefined) return;
  const { attemptId, customerId, cardToken, kind } = question;
  const answer = await cardRailFor(rails, kind).link({ environmentId, linkId: attemptId, customerId, cardToken });
  await inEnvironment(db, environmentId, (tx) => conclude(tx, deps, { linkId, attemptId, customerId, answer }));
}

async function readQuestion(tx: Tx, sealer: Sealer, linkId: string) {
  const { status, attemptId, customerId } = await readCardLink(tx, linkId);
  const cardToken = await openCardToken(tx, sealer, linkId);
  if (status !== "processing" || attemptId === null || cardToken === undefined) return undefined;
  const { kind } = tx.environment;
  return { attemptId, customerId, cardToken, kind };
}

interface Outcome {
  readonly linkId: string;
  readonly attemptId: string;
  readonly customerId: string;
  readonly answer: CardLinkAnswer;
}

async function conclude(tx: Tx, deps: CompleteDependencies, outcome: Outcome): Promise<void> {
  const { linkId: id, attemptId, customerId, answer } = outcome;
  if (answer.outcome === "unknown") return askLater(tx, id, attemptId);
  // Locks: the customer before the link and the loans, as where consent is given.
  await requireCustomer(tx, customerId, { lock: true });
  // Somebody else who asked was faster.
  const link = await lockAttempt(tx, id, attemptId);
  if (link === undefined) return;
  if (answer.outcome === "declined") {
    const { code, message } = answer;
    await announceLink(tx, await endAttempt(tx, { id, attemptId, end: { to: "declined", code, message } }));
    return;
  }
  const cardId = await insertCard(tx, deps.sealer, { link, card: answer.card });
  await setDefaultCard(tx, customerId, cardId);
  await announceLink(tx, await endAttempt(tx, { id, attemptId, end: { to: "linked", cardId } }));
  await meetRequirementsOf(tx, deps, customerId);
}

async function askLater(tx: Tx, id: string, attemptId: string): Promise<void> {
  const queries = await countLinkQuery(tx, id, attemptId);
  if (queries === undefined) return;
  const dueAt = tx.environment.clock.after(delayAfter(queries));
  await schedule(tx, [{ kind: linkTask, subject: id, dueAt }]);
}
