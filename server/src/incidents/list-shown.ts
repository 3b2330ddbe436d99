import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { Incident } from "./incident.ts";
import { readShownIncidents } from "./incident-store.ts";

/** What anybody may read, newest first. */
export function listShownIncidents(db: Database): Promise<Incident[]> {
  return readEnvironment(db, operatorScope, readShownIncidents);
}
