import { randomUUID } from "node:crypto";
import { createTestApp } from "../../../testing/app.ts";
import { type CardSubject, cardContract, wrongCards } from "../../../testing/providers/card-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import type { CardRail } from "../../rails/card.ts";
import { booksOf } from "../in-books.ts";
import type { CardOutcome } from "./card-number.ts";

const { merchant, pool, rails } = await createTestApp();
const environmentId = merchant.environment.id;
const { rail: network, makeToken, decideCharge, decideRefund } = rails.simulatedCard;
const books = booksOf(pool, environmentId);

/** Its cards decide what happens, so a fate is the next card's. */
async function open(): Promise<CardSubject> {
  let outcome: CardOutcome = "linked";
  const lost = { charge: false, refund: false };
  const rail: CardRail = {
    ...network,
    charge: async (order) => {
      const answer = await network.charge(order);
      const isLost = lost.charge;
      lost.charge = false;
      return isLost ? { outcome: "unknown" } : answer;
    },
    refund: async (order) => {
      const answer = await network.refund(order);
      const isLost = lost.refund;
      lost.refund = false;
      return isLost ? { outcome: "unknown" } : answer;
    },
  };
  return {
    rail,
    environmentId,
    linkCard: async () => {
      const cardToken = await makeToken(environmentId, outcome);
      const customerId = randomUUID();
      const answer = await rail.link({ environmentId, linkId: randomUUID(), customerId, cardToken });
      if (answer.outcome !== "linked") throw new Error(`the card was not linked: ${JSON.stringify(answer)}`);
      return answer.card;
    },
    prepare: async (fate) => {
      if (fate === "lost_reply") lost.charge = true;
      if (fate === "failed") outcome = "declines_later";
      if (fate === "paused") outcome = "asks_holder";
    },
    decide: async (chargeId, decision) => void (await decideCharge(environmentId, chargeId, decision)),
    slowRefunds: async () => {
      outcome = "refunds_slowly";
    },
    endRefund: async (refundId, to) => void (await decideRefund(environmentId, refundId, to)),
    loseRefundReply: () => {
      lost.refund = true;
    },
    takings: async (chargeId) => {
      const paid = "select 1 from simulated_card.charges where sandbox = $1 and charge_id = $2 and status = 'paid'";
      return (await books.query(paid, [environmentId, chargeId])).rows.length;
    },
    givenBack: async (chargeId) => {
      const found = await books.query<{ count: bigint; sum: bigint }>(
        `select count(*) as count, coalesce(sum(amount), 0)::bigint as sum from simulated_card.refunds
         where sandbox = $1 and charge_id = $2 and status <> 'declined'`,
        [environmentId, chargeId],
      );
      const [row] = found.rows;
      return { count: Number(row?.count), sum: BigInt(row?.sum ?? 0) };
    },
  };
}

keepContract("card rails: the simulated network", cardContract, wrongCards, open);
