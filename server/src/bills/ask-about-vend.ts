/** Bills that a provider hints at by their request id. */

import { readEnvironment } from "../platform/database/database.ts";
import { askAboutOrder, type HintOutcome } from "../rails/ask-about-order.ts";
import { findOrderOfConnection } from "../rails/orders.ts";
import type { Bill } from "./bill.ts";
import { orderOf, pursueBills, type SendDependencies } from "./bill-order.ts";
import { findBill } from "./bill-store.ts";
import { reverseBill } from "./steer-bill.ts";

export interface NamedVend {
  readonly connectionId: string;
  readonly requestId: string;
}

export async function askAboutVend(deps: SendDependencies, vend: NamedVend): Promise<HintOutcome> {
  const place = await findOrderOfConnection(deps.db, "bill", {
    connectionId: vend.connectionId,
    orderId: vend.requestId,
  });
  if (place === undefined) return "not_ours";
  const { environmentId } = place;
  const { connectionId } = vend;
  return askAboutOrder<Bill>({
    find: () => readEnvironment(deps.db, environmentId, (tx) => findBill(tx, place.id)),
    takeUp: () => pursueBills(deps).takeUp(place),
    query: async (bill) => {
      const kind = await readEnvironment(deps.db, environmentId, async (tx) => tx.environment.kind);
      const rail = await deps.rails.biller.bound({ environmentId, kind }, connectionId);
      return rail.query(orderOf(place, bill));
    },
    done: "successful",
    takeBack: () => reverseBill(deps, place),
  });
}
