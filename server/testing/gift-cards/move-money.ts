/** The two money commands of a gift card: accepting it holds the price, settling it pays the vendor or gives it back. */
import { sql } from "kysely";
import { systemAccountId } from "../../src/ledger/account.ts";
import { acceptPayments, eventsOf, type Hold, legsOfHold, settlePayments } from "../../src/ledger/held-payment.ts";
import type { Posting } from "../../src/ledger/post.ts";
import type { Kobo } from "../../src/money/kobo.ts";
import { commonProblem } from "../../src/platform/problem.ts";
import { recordEvents } from "../../src/platform/records/outbox.ts";
import { schedule } from "../../src/platform/work/agenda.ts";
import { canMove, type GiftCard, giftCardList, giftCardResource, settlementAccount } from "./gift-card.ts";
import { insertGiftCards, moveGiftCard } from "./gift-card-store.ts";
import { presentGiftCard } from "./schemas.ts";

export const issueTask = "gift_cards.issue";

export interface BuyGiftCard {
  readonly reference: string;
  readonly sourceAccountId: string;
  readonly brand: string;
  readonly amount: Kobo;
}

export const acceptGiftCard = acceptPayments<BuyGiftCard, GiftCard>({
  name: "gift_cards.accept",
  list: giftCardList,
  sendTask: issueTask,
  draft: (id, wanted, createdAt) => ({ ...wanted, id, createdAt, status: "pending", version: 1, failureCode: null }),
  claim: ({ id, reference }) => ({ recordId: id, references: [reference] }),
  validity: { until: () => null, expired: () => commonProblem("unavailable") },
  hold: (card) => postingOf(card, card.id, "held"),
  insert: async (tx, { records, firstPosition, claimable }) => {
    await insertGiftCards(tx, records, firstPosition);
    // A frozen sandbox's agenda has them already. Elsewhere jobs take them up: there is no queue of rows to claim.
    if (claimable)
      await schedule(
        tx,
        records.map(({ id }) => ({ kind: issueTask, subject: id })),
      );
  },
});

export interface SettleGiftCard {
  readonly id: string;
  readonly from: "processing";
  readonly to: "delivered" | "failed";
  readonly sealedCode: Buffer | null;
  readonly failureCode: string | null;
}

export const settleGiftCard = settlePayments<SettleGiftCard, GiftCard>({
  name: "gift_cards.settle",
  canMove,
  move: async (tx, commands) => {
    const moved = new Map<string, GiftCard>();
    for (const { id, from, to, sealedCode, failureCode } of commands) {
      const changes = sql`status = ${to}, sealed_code = ${sealedCode}, failure_code = ${failureCode}`;
      const card = await moveGiftCard(tx, { id, from, changes });
      if (card !== undefined) moved.set(id, card);
    }
    return moved;
  },
  post: (tx, card, to) => [
    postingOf(card, tx.environment.clock.newId(), to === "delivered" ? "spent" : "failed", tx.environment.id),
  ],
  write: async (tx, settled) => {
    await recordEvents(tx, eventsOf(giftCardResource, settled, presentGiftCard));
  },
});

function postingOf(card: GiftCard, id: string, end: "held" | "spent" | "failed", environmentId = ""): Posting {
  const spent = [{ accountId: systemAccountId(environmentId, settlementAccount), amount: card.amount }];
  const hold: Hold = { walletId: card.sourceAccountId, total: card.amount, spent };
  return {
    id,
    kind: `gift_card.${end}`,
    resource: { type: giftCardResource, id: card.id, reference: card.reference },
    narration: `Gift card ${card.brand}`,
    legs: legsOfHold(hold, end),
  };
}
