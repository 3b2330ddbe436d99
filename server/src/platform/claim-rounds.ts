/**
 * A worker's rounds over rows that wait, of all environments. A claim is a lease: what a killed worker held comes back
 * after it. A round does not wait for the outside: what it claimed is under way beside the next rounds, and a
 * counterparty that keeps many waiting is passed over until it has answered some.
 */
export interface RoundOptions<Row> {
  /** Claims up to `atMost` rows, none of which belongs to a busy counterparty. */
  claim(atMost: number, busy: readonly string[]): Promise<readonly Row[]>;
  counterpartyOf(row: Row): string;
  /** Never rejects: what could not be taken further comes back with its lease. */
  advance(row: Row): Promise<void>;
}

export interface ClaimRounds {
  /** Claims what waits, starts it, and answers how many milliseconds to rest before the next round. */
  round(): Promise<number>;
  /** Resolves when nothing that was claimed is under way any more. */
  drain(): Promise<void>;
}

const claimAtOnce = 200;
const mostUnderWay = 600;
const busyFrom = 150;
const idleMs = 100;
const fullMs = 20;

export function createClaimRounds<Row>(options: RoundOptions<Row>): ClaimRounds {
  const underWay = new Map<Promise<void>, string>();

  function start(row: Row): void {
    const advancing = options.advance(row).finally(() => underWay.delete(advancing));
    underWay.set(advancing, options.counterpartyOf(row));
  }

  return {
    async round() {
      const room = Math.min(claimAtOnce, mostUnderWay - underWay.size);
      if (room <= 0) return fullMs;
      const claimed = await options.claim(room, busyAmong(underWay.values()));
      for (const row of claimed) start(row);
      return claimed.length < room ? idleMs : 0;
    },
    async drain() {
      await Promise.all(underWay.keys());
    },
  };
}

function busyAmong(counterparties: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const one of counterparties) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= busyFrom).map(([one]) => one);
}
