/** The tariffs of all times, read once a minute at most: the one in force is chosen by the environment's time. */
import type { Database } from "../../platform/database/database.ts";
import { rememberFor } from "../../platform/remember.ts";
import type { Tariffs } from "./tariff.ts";
import { readTariffs } from "./tariff-store.ts";

const keepForMs = 60_000;

export function rememberTariffs(db: Database): () => Promise<Tariffs> {
  return rememberFor(keepForMs, () => readTariffs(db));
}
