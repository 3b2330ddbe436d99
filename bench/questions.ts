/** Payouts whose outcome the bank owes, and the tasks that ask about them. */
import { createGroupCommit } from "../server/src/ledger/group-commit.ts";
import { createPool } from "../server/src/platform/database/database.ts";
import { createLogger } from "../server/src/platform/logger.ts";
import type { Sealer } from "../server/src/platform/secrets/crypto.ts";
import type { TaskKind } from "../server/src/platform/work/jobs.ts";
import { deskOf } from "../server/src/rails/desk.ts";
import { createSimulatedBank } from "../server/src/sandbox/bank/simulated-bank.ts";
import { transferTasks } from "../server/src/transfers/sending/transfers.job.ts";
import type { Api, Payer } from "./payers.ts";
import type { Stage } from "./stage.ts";

/** Makes so many on a frozen clock, and moves it to where they are asked about every quarter of an hour. */
export async function oweOutcomes(api: Api, { key }: Payer, count: number): Promise<void> {
  await api.put("/sandbox/clock", key, { mode: "frozen", now: "2026-11-01T08:00:00.000Z", seed: "bench" });
  const account = { accountNumber: "0123456789", bankCode: "058", currency: "NGN", narration: "Owed" };
  for (let number = 0; number < count; number += 1) {
    await api.post("/transfers", key, { ...account, amount: 100, reference: `owed-${number}_PENDING` });
  }
  await api.post("/sandbox/clock/advance", key, { seconds: 3_600 });
}

export function questionTasks(stage: Stage, sealer: Sealer) {
  const pool = createPool({ url: stage.appUrl, poolSize: 4 });
  const { rail } = createSimulatedBank({ pool, db: stage.db });
  const groupCommit = createGroupCommit({ db: stage.db, sealer, slots: 4 });
  const rails = { bank: deskOf({ SANDBOX: rail, LIVE: null }) };
  const together = transferTasks({ db: stage.db, groupCommit, rails, log: createLogger({ level: "error" }) });
  const apart = together.map(([name, { handle }]): [string, TaskKind] => [name, { handle }]);
  return { together, apart, close: () => pool.end() };
}
