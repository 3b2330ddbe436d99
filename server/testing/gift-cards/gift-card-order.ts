/** A gift card as an order to the vendor. */
import { sql } from "kysely";
import type { GroupCommit } from "../../src/ledger/group-commit.ts";
import { type Database, inEnvironment } from "../../src/platform/database/database.ts";
import type { Logger } from "../../src/platform/logger.ts";
import type { Sealer } from "../../src/platform/secrets/crypto.ts";
import { sealedContext } from "../../src/platform/secrets/reseal.ts";
import type { OrderKey } from "../../src/rails/order.ts";
import { countQueries } from "../../src/rails/orders.ts";
import { type Pursuit, pursue } from "../../src/rails/pursue-order.ts";
import type { GiftCard } from "./gift-card.ts";
import { findOpenOrder, moveGiftCard, sealedCode } from "./gift-card-store.ts";
import { issueTask, settleGiftCard } from "./move-money.ts";
import type { GiftVendor, IssueAnswer } from "./vendor.ts";

export interface IssueDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly groupCommit: GroupCommit;
}

export function pursueGiftCards(deps: IssueDependencies, vendor: GiftVendor): Pursuit<GiftCard> {
  const { db, log, sealer, groupCommit } = deps;
  const issue = (_: OrderKey, { id: orderId, brand, amount }: GiftCard) => vendor.issue({ orderId, brand, amount });
  return pursue<GiftCard, IssueAnswer>(
    { db, log },
    {
      noun: "gift card",
      rail: "the vendor",
      task: issueTask,
      find: findOpenOrder,
      start: ({ environmentId, id }) =>
        inEnvironment(db, environmentId, async (tx) => {
          const changes = sql`status = 'processing', sent_at = ${tx.environment.clock.now()}`;
          return (await moveGiftCard(tx, { id, from: "pending", changes })) ?? null;
        }),
      send: issue,
      // The vendor takes a second order under an id for the same one, so to ask is to order again.
      query: issue,
      resend: async () => ({ recognised: true, afterMs: 0 }),
      countQueries: (tx, cards) => countQueries(tx, "gift_cards", cards),
      end: async ({ environmentId, id }, _, answer) => {
        const step = { id, from: "processing" } as const;
        const seal = (code: string) => sealer.seal(code, sealedContext(sealedCode, environmentId, id));
        const settled =
          answer.outcome === "issued"
            ? ({ ...step, to: "delivered", sealedCode: seal(answer.code), failureCode: null } as const)
            : ({ ...step, to: "failed", sealedCode: null, failureCode: answer.code } as const);
        await groupCommit.submit(environmentId, settleGiftCard, settled);
        return true;
      },
    },
  );
}
