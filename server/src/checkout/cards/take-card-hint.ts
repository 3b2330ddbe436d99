/** A processor says that there is news of a charge or of a try to link. It names them by our id, and we ask. */
import { inEnvironment, readEnvironment } from "../../platform/database/database.ts";
import type { HintOutcome } from "../../rails/ask-about-order.ts";
import { findOrderOfConnection, type NamedOrder } from "../../rails/orders.ts";
import type { OrderName } from "../../rails/pursue-order.ts";
import { askAboutCharge } from "./ask-about-charge.ts";
import { listStandingRefunds } from "./card-refund-store.ts";
import type { ChargeDependencies } from "./charge-order.ts";
import { findCharge } from "./charge-store.ts";
import { readCardLink } from "./create-card-link.ts";
import { type LinkDependencies, letGo, pursueLinks } from "./link-order.ts";
import { pursueCardRefunds } from "./refund-order.ts";

export type CardHintDependencies = ChargeDependencies & LinkDependencies;

export async function takeCardHint(deps: CardHintDependencies, hint: NamedOrder): Promise<HintOutcome> {
  const charge = await findOrderOfConnection(deps.db, "card_charge", hint);
  if (charge !== undefined) return askAboutChargeAndRefunds(deps, charge);
  const link = await findOrderOfConnection(deps.db, "card_link", hint);
  return link === undefined ? "not_ours" : askAboutLink(deps, link);
}

/** Notices of refunds name the charge. */
async function askAboutChargeAndRefunds(deps: CardHintDependencies, name: OrderName): Promise<HintOutcome> {
  const { environmentId, id } = name;
  const outcome = await askAboutCharge(deps, name);
  const waiting = await readEnvironment(deps.db, environmentId, async (tx) => {
    const loanId = (await findCharge(tx, id))?.loanId;
    const refunds = loanId === undefined ? [] : await listStandingRefunds(tx, loanId);
    return refunds.filter(({ chargeId, status }) => chargeId === id && status === "processing");
  });
  for (const refund of waiting) await pursueCardRefunds(deps).takeUp({ environmentId, id: refund.id });
  return waiting.length > 0 ? "asked" : outcome;
}

/** A card that was typed in when its try was over is let go: nobody counts on it any more. */
async function askAboutLink(deps: CardHintDependencies, name: OrderName): Promise<HintOutcome> {
  const { environmentId, id } = name;
  const { link, kind } = await readEnvironment(deps.db, environmentId, async (tx) => ({
    link: await readCardLink(tx, id),
    kind: tx.environment.kind,
  }));
  const { status, attemptId, customerId, connectionId } = link;
  if (status === "linked" || attemptId === null) return "agrees";
  if (status === "processing") {
    await pursueLinks(deps).takeUp(name);
    return "asked";
  }
  const rail = await deps.rails.card.bound({ environmentId, kind }, connectionId);
  const answer = await rail.link({ environmentId, linkId: attemptId, customerId, cardToken: null });
  if (answer.outcome === "unknown") return "unanswered";
  if (answer.outcome !== "linked") return "agrees";
  await inEnvironment(deps.db, environmentId, (tx) => letGo(tx, deps.sealer, link, answer.card));
  return "asked";
}
