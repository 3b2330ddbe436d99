/** What a merchant hears about card links. */
import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { presentCard } from "./card.ts";
import { type CardLink, linkResource } from "./card-link.ts";
import { findCard } from "./card-store.ts";

/** Tells how a try ended. */
export async function announceLink(tx: Tx, link: CardLink): Promise<void> {
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
