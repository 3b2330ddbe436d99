import type { Slice } from "../platform/slice-description.ts";
import { type ArchiveWork, archiveLoops } from "./archive-events.job.ts";
import { archiveGauges } from "./archive-gauges.ts";
import { verifyArchives } from "./verify-archives.ts";

export const archiveSlice: Slice<unknown, ArchiveWork> = {
  lookupFunctions: {
    "find_due_archives(timestamp with time zone,timestamp with time zone,integer)":
      "A worker looks in which environments events are old enough to be archived.",
    "remove_archived_events(integer)":
      "Nobody may delete events but this function, and it only those of its own environment that are archived.",
  },
  checks: [verifyArchives],
  loops: archiveLoops,
  gauges: archiveGauges,
};
