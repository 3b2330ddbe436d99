/**
 * A try to link a card as an order to the card network. The network knows each try by its own id and gives it one
 * answer, however often it is asked, so to ask about one is to send it again. The card, the customer's default, the
 * event and the loans that waited for a card move together.
 */
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { CardLinkAnswer } from "../../rails/card.ts";
import type { OpenOrder, OrderKey, Unknown } from "../../rails/order.ts";
import { type Pursuit, pursue } from "../../rails/pursue-order.ts";
import { type CardRails, cardRailFor } from "../../rails/registry.ts";
import { setDefaultCard } from "../customers/customer-store.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { meetRequirementsOf, type RequirementDependencies } from "../loans/meet-requirements.ts";
import { announceLink } from "./announce-link.ts";
import { insertCard } from "./card-store.ts";
import { readCardLink } from "./create-card-link.ts";
import { countLinkQueries, endAttempt, lockAttempt, openCardToken } from "./link-store.ts";
import { linkTask } from "./tasks.ts";

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
  readonly cardToken: string;
}

type DefiniteAnswer = Exclude<CardLinkAnswer, Unknown>;

export function pursueLinks(deps: LinkDependencies): Pursuit<LinkOrder> {
  const send = ({ environmentId, environment }: OrderKey, { attemptId: linkId, customerId, cardToken }: LinkOrder) =>
    cardRailFor(deps.rails, environment).link({ environmentId, linkId, customerId, cardToken });
  return pursue<LinkOrder, DefiniteAnswer>(deps, {
    noun: "card link",
    rail: "the card network",
    task: linkTask,
    find: (tx, id) => findOrder(tx, deps.sealer, id),
    start: async (_, order) => order,
    send,
    query: send,
    resend: () => ({ recognised: true, afterMs: 0 }),
    countQueries: countLinkQueries,
    end: async ({ environmentId }, order, answer) => {
      await inEnvironment(deps.db, environmentId, (tx) => end(tx, deps, order, answer));
      return true;
    },
  });
}

async function findOrder(tx: Tx, sealer: Sealer, id: string): Promise<OpenOrder<LinkOrder> | undefined> {
  const { status, attemptId, customerId } = await readCardLink(tx, id);
  const cardToken = await openCardToken(tx, sealer, id);
  if (status !== "processing" || attemptId === null || cardToken === undefined) return undefined;
  return { order: { id, attemptId, customerId, cardToken }, status, sentForMs: 0 };
}

async function end(tx: Tx, deps: LinkDependencies, order: LinkOrder, answer: DefiniteAnswer): Promise<void> {
  const { id, attemptId, customerId } = order;
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
