import type { Database } from "../platform/database/database.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { type ArchiveSettings, dueBefore, dueSince } from "./archive.ts";
import { type DueArchive, findDueArchives } from "./archive-store.ts";

interface GaugeNeeds {
  readonly db: Database;
  readonly archive?: ArchiveSettings | undefined;
}

const kinds = ["LIVE", "SANDBOX"] as const;
const mostEnvironments = 100;

export function archiveGauges({ db, archive }: GaugeNeeds): GaugeSource[] {
  // Without a folder nothing is ever due, and the figure is there all the same: rules and dashboards may ask for it.
  const days = archive?.days ?? { LIVE: 0, SANDBOX: 0 };
  return [
    {
      name: "jara_archive_overdue_seconds",
      help: "For how long the oldest event that is due could have been archived; 0 while none is due.",
      labelNames: ["environment"],
      read: async () => {
        const now = new Date();
        const before = { LIVE: dueBefore(days.LIVE, now), SANDBOX: dueBefore(days.SANDBOX, now) };
        const isOff = before.LIVE === null && before.SANDBOX === null;
        const due = isOff ? [] : await findDueArchives(db, before, mostEnvironments);
        return kinds.map((kind) => ({
          labels: { environment: kind },
          value: overdueSeconds(due, kind, days[kind], now),
        }));
      },
    },
  ];
}

function overdueSeconds(due: readonly DueArchive[], kind: DueArchive["kind"], days: number, now: Date): number {
  const since = due.flatMap((one) => (one.kind === kind && one.oldest !== null ? [dueSince(days, one.oldest)] : []));
  return Math.max(0, ...since.map((moment) => (now.getTime() - moment.getTime()) / 1_000));
}
