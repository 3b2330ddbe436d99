/** Archives what is due in every environment, one file of each in turn. */
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { DomainLoop } from "../platform/work/background-loop.ts";
import { type ArchiveSettings, dueBefore } from "./archive.ts";
import { type ArchiveLimits, archiveEvents } from "./archive-events.ts";
import { openShelf, type Shelf } from "./archive-file.ts";
import { findDueArchives } from "./archive-store.ts";

export interface ArchiveWork {
  readonly db: Database;
  readonly log: Logger;
  /** Undefined where the operator named no folder: nothing is archived and nothing removed. */
  readonly archive?: ArchiveSettings | undefined;
}

const lookEveryMs = 60_000;
const goOnAfterMs = 1_000;
const mostEnvironments = 100;

export function archiveLoops({ db, log, archive }: ArchiveWork): DomainLoop[] {
  if (archive === undefined) return [];
  const shelf = openShelf(archive.folder);
  const step = async () => {
    const archived = await archiveDue({ db, log, archive }, shelf, new Date());
    return archived > 0 ? goOnAfterMs : lookEveryMs;
  };
  return [{ name: "event archive", step }];
}

/** Returns how many events were archived. What cannot be archived now does not keep the others from it. */
export async function archiveDue(
  { db, log, archive }: ArchiveWork,
  shelf: Shelf,
  now: Date,
  limits?: ArchiveLimits,
): Promise<number> {
  if (archive === undefined) return 0;
  const { LIVE, SANDBOX } = archive.days;
  const before = { LIVE: dueBefore(LIVE, now), SANDBOX: dueBefore(SANDBOX, now) };
  let archived = 0;
  for (const { environmentId, kind } of await findDueArchives(db, before, mostEnvironments)) {
    try {
      const command = { environmentId, before: before[kind] ?? new Date(0), now };
      archived += await archiveEvents(db, shelf, limits === undefined ? command : { ...command, limits });
    } catch (error) {
      log.error({ err: error, environmentId }, "events could not be archived; they stay online, and it is tried again");
    }
  }
  return archived;
}
