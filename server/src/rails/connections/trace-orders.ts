/** What rails tell in a trace, to operators only: by what a provider knows an order, and what it charges. */
import { nairaNumber } from "../../money/kobo.ts";
import type { TraceSource } from "../../platform/records/trace.ts";
import { readTracesOf } from "./trace-store.ts";

export const orderTrace: TraceSource = {
  async tell(tx, { ids, orders, audience }) {
    if (audience === "merchant") return { steps: [] };
    const found = await readTracesOf(tx, [...ids, ...orders]);
    return {
      steps: found.map(({ at, connectionId, port, orderId, fee, ...known }) => ({
        at,
        kind: "rail",
        title: "Known at the provider",
        detail: { port, orderId, ...known, fee: fee === null ? null : nairaNumber(fee) },
        ids: { connection: connectionId },
        ok: true,
        turn: 2.7,
      })),
    };
  },
};
