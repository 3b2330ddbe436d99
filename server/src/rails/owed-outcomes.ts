/** What an operator must keep an eye on: orders whose outcome a rail owes us, as a metric and in the log. */
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import { countLiveOver, countOwed } from "./owed-store.ts";

export function owedGauge(db: Database, kind: OwedKind): GaugeSource {
  return {
    name: kind.gauge,
    help: `${kind.noun} whose outcome has been owed for more than a minute, by kind of environment.`,
    labelNames: ["environment"],
    read: async () =>
      (await countOwed(db, kind)).map(({ environment, count }) => ({ labels: { environment }, value: count })),
  };
}

/** Live payments against the regulator's clocks, by what must have happened. */
export function overLimitGauge(db: Database, kinds: readonly OwedKind[]): GaugeSource {
  return {
    name: "jara_unknown_over_limit",
    help: "Live payments without an outcome for longer than the regulator allows, by kind and limit.",
    labelNames: ["kind", "limit"],
    read: () =>
      Promise.all(
        kinds.flatMap((kind) =>
          kind.clocks.map(async ({ name, seconds }) => ({
            labels: { kind: kind.type, limit: name },
            value: await countLiveOver(db, kind, seconds),
          })),
        ),
      ),
  };
}

/** Says in the log that money is in the open. A sandbox's is nobody's money. */
export async function reportOwed(db: Database, log: Logger, kinds: readonly OwedKind[]): Promise<void> {
  for (const kind of kinds) {
    for (const { environment, count, oldestSeconds } of await countOwed(db, kind)) {
      if (count === 0) continue;
      const level = environment === "LIVE" ? "warn" : "info";
      log[level]({ environment, count, oldestSeconds }, `${kind.noun} wait for an answer for more than a minute`);
    }
  }
}
