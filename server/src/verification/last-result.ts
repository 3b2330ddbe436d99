import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { readLastResults } from "./verification-store.ts";

/** Whether the last verification that ended found nothing; true while none has ended. */
export async function areBooksRight(db: Database): Promise<boolean> {
  const { state } = await readEnvironment(db, operatorScope, readLastResults);
  return state === null || state === "clean";
}

export function verificationGauges({ db }: { readonly db: Database }): GaugeSource[] {
  const read = () => readEnvironment(db, operatorScope, readLastResults);
  return [
    {
      name: "jara_ledger_verify_ok",
      help: "1 when the last verification of the books found nothing, 0 when it found something or failed.",
      labelNames: [],
      read: async () => {
        const { state } = await read();
        return state === null ? [] : [{ labels: {}, value: state === "clean" ? 1 : 0 }];
      },
    },
    {
      name: "jara_ledger_verify_age_seconds",
      help: "Seconds since the last verification that found nothing ended, or since the first was asked for.",
      labelNames: [],
      read: async () => {
        const { cleanAgeSeconds } = await read();
        return cleanAgeSeconds === null ? [] : [{ labels: {}, value: cleanAgeSeconds }];
      },
    },
  ];
}
