/** The rates of all times, read once a minute at most: the one in force is chosen by the environment's time. */
import type { Database } from "../platform/database/database.ts";
import { rememberFor } from "../platform/remember.ts";
import type { Rates } from "./rate.ts";
import { readRates } from "./rate-store.ts";

const keepForMs = 60_000;

export function rememberRates(db: Database): () => Promise<Rates> {
  return rememberFor(keepForMs, () => readRates(db));
}
