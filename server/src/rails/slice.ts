import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { railProblems } from "./desk.ts";
import { owedGauge, reportOwed } from "./owed-outcomes.ts";
import { owedRoutes } from "./owed-routes.ts";

interface OwedNeeds {
  readonly db: Database;
  readonly log: Logger;
  /** The kinds of orders of all slices. */
  readonly owedKinds: readonly OwedKind[];
}

const reportEveryMs = 60_000;

export const railSlice: Slice<OwedNeeds, OwedNeeds> = {
  problems: railProblems,
  routes: ({ db, owedKinds }) => owedRoutes(db, owedKinds),
  loops: ({ db, log, owedKinds }) => [
    { name: "owed outcomes", step: every(reportEveryMs, () => reportOwed(db, log, owedKinds)) },
  ],
  gauges: ({ db, owedKinds }) => owedKinds.map((kind) => owedGauge(db, kind)),
};
