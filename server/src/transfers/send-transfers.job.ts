/**
 * The worker's round over waiting transfers, of all environments. A claim is a lease: what a killed worker held comes
 * back after it and is asked about, not sent again. A round does not wait for the banks: what it claimed is under way
 * beside the next rounds, and a bank that keeps many waiting is passed over until it has answered some.
 */
import { sql } from "kysely";
import { retryTransient } from "../platform/retry-transient.ts";
import type { EnvironmentKind } from "../rails/registry.ts";
import { type SendDependencies, sendFresh, takeUp } from "./send-transfer.ts";

const claimAtOnce = 200;
const mostUnderWay = 600;
const busyBankFrom = 150;
const leaseSeconds = 60;
const idleMs = 100;
const fullMs = 20;

interface ClaimedRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly bank_code: string;
  readonly fresh: boolean;
}

export interface TransferSender {
  /** Claims what waits, starts it, and answers how many milliseconds to rest before the next round. */
  round(): Promise<number>;
  /** Resolves when nothing that was claimed is under way any more. */
  drain(): Promise<void>;
}

export function createTransferSender(deps: SendDependencies): TransferSender {
  const underWay = new Map<Promise<void>, string>();

  function start(row: ClaimedRow): void {
    const advancing = advance(deps, row).finally(() => underWay.delete(advancing));
    underWay.set(advancing, row.bank_code);
  }

  return {
    async round() {
      const room = Math.min(claimAtOnce, mostUnderWay - underWay.size);
      if (room <= 0) return fullMs;
      const claimed = await claim(deps, room, busyBanks(underWay.values()));
      for (const row of claimed) start(row);
      return claimed.length < room ? idleMs : 0;
    },
    async drain() {
      await Promise.all(underWay.keys());
    },
  };
}

function busyBanks(banks: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const bank of banks) counts.set(bank, (counts.get(bank) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= busyBankFrom).map(([bank]) => bank);
}

/** Never rejects: what could not be taken further comes back with its lease. */
async function advance(deps: SendDependencies, row: ClaimedRow): Promise<void> {
  const key = { environmentId: row.environment_id, environment: row.environment_kind, id: row.id };
  try {
    await (row.fresh ? sendFresh(deps, key) : takeUp(deps, key));
  } catch (error) {
    deps.log.error({ err: error, transferId: row.id }, "a transfer could not be taken further");
  }
}

async function claim(deps: SendDependencies, atMost: number, busy: readonly string[]): Promise<readonly ClaimedRow[]> {
  const sandbox = deps.rails.bank.SANDBOX?.senderCode ?? "000000";
  const live = deps.rails.bank.LIVE?.senderCode ?? "000000";
  const result = await retryTransient(() =>
    sql<ClaimedRow>`
      select * from claim_transfers(${atMost}, ${leaseSeconds}, ${sandbox}, ${live}, ${busy}::text[])`.execute(deps.db),
  );
  return result.rows;
}
