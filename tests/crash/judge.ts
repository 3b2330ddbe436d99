/**
 * After the storm: compares what the client was told, what our records and ledger say, and what the bank's own books
 * say. Answers with every contradiction in words; none is the only good answer.
 */
import pg from "pg";
import { verifyLedger } from "../../server/src/ledger/verify.ts";
import { createDatabase, createPool, inEnvironment } from "../../server/src/platform/database.ts";
import type { Client } from "./client.ts";

interface TransferFacts {
  readonly reference: string;
  readonly status: string;
  readonly amount: bigint;
  readonly total: bigint;
  readonly session_id: string | null;
  readonly bank_status: string | null;
  readonly bank_amount: bigint | null;
}

export interface Verdict {
  readonly contradictions: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Waits until nothing is open any more; answers how many were still open when patience ran out. */
export async function untilFinal(ownerUrl: string, patienceMs: number): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const deadline = performance.now() + patienceMs;
  try {
    for (;;) {
      const result = await client.query<{ open: string }>(
        `select count(*) as open from transfers
         where status in ('pending', 'processing') or (status = 'completed' and reference like '%\\_REVERSE')`,
      );
      const open = Number(result.rows[0]?.open);
      if (open === 0 || performance.now() > deadline) return open;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await client.end();
  }
}

export async function judge(ownerUrl: string, environmentId: string, funded: bigint, client: Client): Promise<Verdict> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const facts = await readFacts(owner, environmentId);
    const contradictions = [
      ...compareWithClient(facts, client),
      ...facts.flatMap(compareWithBank),
      ...(await compareLedger(ownerUrl, environmentId)),
      ...(await compareWallet(owner, environmentId, funded, facts)),
      ...(await compareEvents(owner, environmentId, facts)),
      ...(await findStrangers(owner, environmentId)),
    ];
    return { contradictions, counts: Object.fromEntries(countBy(facts)) };
  } finally {
    await owner.end();
  }
}

async function readFacts(owner: pg.Client, environmentId: string): Promise<TransferFacts[]> {
  const result = await owner.query<TransferFacts>(
    `select t.reference, t.status, t.amount, t.amount + t.fee + t.vat + t.stamp_duty as total, t.session_id,
       b.status as bank_status, b.amount as bank_amount
     from transfers t left join simulated_bank.payments b on b.session_id = t.session_id
     where t.environment_id = $1`,
    [environmentId],
  );
  return result.rows;
}

function compareWithClient(facts: readonly TransferFacts[], client: Client): string[] {
  const known = Map.groupBy(facts, (fact) => fact.reference);
  const lost = [...client.acknowledged.keys()].filter((reference) => !known.has(reference));
  const twice = [...known].filter(([, records]) => records.length > 1).map(([reference]) => reference);
  const unasked = [...known.keys()].filter((reference) => !client.attempted.has(reference));
  return [
    ...lost.map((reference) => `${reference} was acknowledged and is not there`),
    ...twice.map((reference) => `${reference} is there more than once`),
    ...unasked.map((reference) => `${reference} was never asked for`),
    ...client.refused.map((refusal) => `refused: ${refusal}`),
  ];
}

const bankStatusFor: Readonly<Record<string, readonly (string | null)[]>> = {
  completed: ["paid"],
  failed: ["refused", null],
  reversed: ["reversed"],
};

function compareWithBank(fact: TransferFacts): string[] {
  const expected = bankStatusFor[fact.status];
  if (expected === undefined) return [`${fact.reference} is not final: ${fact.status}`];
  if (!expected.includes(fact.bank_status))
    return [`${fact.reference} is ${fact.status}, the bank says ${fact.bank_status}`];
  if (fact.bank_amount !== null && fact.bank_amount !== fact.amount)
    return [`${fact.reference}: the bank paid ${fact.bank_amount}`];
  return [];
}

/** Payments in the bank's books that no transfer of ours knows. */
async function findStrangers(owner: pg.Client, environmentId: string): Promise<string[]> {
  const result = await owner.query<{ session_id: string }>(
    `select b.session_id from simulated_bank.payments b
     where b.sandbox = $1 and b.status in ('paid', 'reversed')
       and not exists (select from transfers t where t.session_id = b.session_id)`,
    [environmentId],
  );
  return result.rows.map((row) => `the bank paid session ${row.session_id}, which nobody here knows`);
}

async function compareLedger(ownerUrl: string, environmentId: string): Promise<string[]> {
  const db = createDatabase(createPool({ url: ownerUrl, poolSize: 1, role: "jara_app" }));
  try {
    const differences = await inEnvironment(db, environmentId, verifyLedger, { readOnly: true });
    return differences.map((difference) => `ledger: ${JSON.stringify(difference)}`);
  } finally {
    await db.destroy();
  }
}

async function compareWallet(
  owner: pg.Client,
  environmentId: string,
  funded: bigint,
  facts: readonly TransferFacts[],
): Promise<string[]> {
  const result = await owner.query<{ balance: bigint }>(
    "select sum(balance)::bigint as balance from accounts where environment_id = $1 and has_floor",
    [environmentId],
  );
  const spent = facts.filter((fact) => fact.status === "completed").reduce((sum, fact) => sum + fact.total, 0n);
  const balance = result.rows[0]?.balance;
  return balance === funded - spent ? [] : [`the wallet holds ${balance}, expected ${funded - spent}`];
}

/** Every outcome is announced exactly once. */
async function compareEvents(
  owner: pg.Client,
  environmentId: string,
  facts: readonly TransferFacts[],
): Promise<string[]> {
  const result = await owner.query<{ event: string; count: string; records: string }>(
    `select event, count(*) as count, count(distinct resource_id) as records from events
     where environment_id = $1 and event like 'transfer.%' group by event`,
    [environmentId],
  );
  const counts = countBy(facts);
  const reversed = counts.get("reversed") ?? 0;
  const expected = new Map([
    ["transfer.completed", (counts.get("completed") ?? 0) + reversed],
    ["transfer.failed", counts.get("failed") ?? 0],
    ["transfer.reversed", reversed],
  ]);
  const found = new Map(result.rows.map((row) => [row.event, row]));
  return [...expected].flatMap(([event, count]) => {
    const row = found.get(event);
    const announced = Number(row?.count ?? 0);
    const once = row === undefined || row.count === row.records;
    return announced === count && once ? [] : [`${event}: ${announced} events for ${count} records`];
  });
}

function countBy(facts: readonly TransferFacts[]): Map<string, number> {
  return new Map([...Map.groupBy(facts, (fact) => fact.status)].map(([status, list]) => [status, list.length]));
}
