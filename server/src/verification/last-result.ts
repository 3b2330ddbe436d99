import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import { readLastResults } from "./verification-store.ts";

/** Whether the last verification that ended found nothing; true while none has ended. */
export async function areBooksRight(db: Database): Promise<boolean> {
  const { state } = await readEnvironment(db, operatorScope, readLastResults);
  return state === null || state === "clean";
}
