import { operatorScope, readEnvironment, timeIn } from "../platform/database/database.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { daysBetween, lagosDate } from "../platform/time/lagos-date.ts";
import { countOpen, lastCleanDays } from "./night-store.ts";
import { isCompared } from "./plan-night.ts";
import { exceptionKinds } from "./reconciliation.ts";
import type { ComparedConnection, RunDependencies } from "./run-reconciliation.ts";

const labelNames = ["connection", "provider", "mode", "name"];

function labelsOf({ id, provider, mode, name }: ComparedConnection) {
  return { connection: id, provider, mode, name };
}

export function reconciliationGauges(deps: RunDependencies): GaugeSource[] {
  const { db, connections } = deps;
  const compared = async () => {
    const all = await connections.list();
    const is = await Promise.all(all.map((connection) => isCompared(deps, connection)));
    return all.filter((_, index) => is[index]);
  };
  return [
    {
      name: "jara_reconciliation_exceptions",
      help: "Differences between our books and a provider's that nobody has resolved, by kind.",
      labelNames: [...labelNames, "kind"],
      read: async () => {
        const open = await readEnvironment(db, operatorScope, countOpen);
        const counts = new Map(open.map(({ connectionId, kind, count }) => [`${connectionId}/${kind}`, count]));
        const always = new Set((await compared()).map(({ id }) => id));
        return (await connections.list()).flatMap((connection) =>
          exceptionKinds.flatMap((kind) => {
            const value = counts.get(`${connection.id}/${kind}`) ?? 0;
            return value > 0 || always.has(connection.id) ? { labels: { ...labelsOf(connection), kind }, value } : [];
          }),
        );
      },
    },
    {
      name: "jara_reconciliation_clean_age_days",
      help: "Days since the last day on which our books and the provider's agreed, or since it was connected.",
      labelNames,
      read: async () => {
        const clean = await readEnvironment(db, operatorScope, lastCleanDays);
        const today = lagosDate(await timeIn(db, operatorScope));
        return (await compared()).map((connection) => {
          const last = clean.get(connection.id);
          const since = last === undefined ? lagosDate(connection.createdAt) : Temporal.PlainDate.from(last);
          return { labels: labelsOf(connection), value: daysBetween(since, today) };
        });
      },
    },
  ];
}
