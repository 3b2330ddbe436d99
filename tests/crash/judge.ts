/**
 * After the storm: compares what the client was told, what our records and ledger say, and what the bank's own books
 * say. Returns every contradiction in words; none is the only good answer.
 */
import pg from "pg";
import { unfinishedCheckout } from "./checkout-checks.ts";
import type { Client } from "./client.ts";
import type { Diary } from "./diary.ts";
import { countCheckout, judgeCheckout } from "./judge-checkout.ts";

// Amounts are whole numbers of any size here too.
pg.types.setTypeParser(pg.types.builtins.INT8, (digits) => BigInt(digits));

/** A payout or a bill: what we say of it, and what the rail's own books say. */
export interface Facts {
  readonly kind: "transfer" | "disbursement" | "bill";
  readonly reference: string;
  readonly status: string;
  readonly amount: bigint;
  /** What the wallet has lost by it, once it has succeeded. */
  readonly spent: bigint;
  readonly rail_status: string | null;
  readonly rail_amount: bigint | null;
}

export interface Verdict {
  readonly contradictions: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const openCount = `
  select count(*) as open from (
    select reference from (
      select status, reference from transfers union all select status, reference from bills) p
    where status in ('pending', 'processing')
      or (status in ('completed', 'successful') and reference like '%\\_REVERSE')
    union all ${unfinishedCheckout}) o`;

/** Waits until nothing is open any more; returns how many were still open when patience ran out. */
export async function untilFinal(ownerUrl: string, environmentId: string, patienceMs: number): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const deadline = performance.now() + patienceMs;
  try {
    for (;;) {
      const result = await client.query<{ open: string }>(openCount, [environmentId]);
      const open = Number(result.rows[0]?.open);
      if (open === 0 || performance.now() > deadline) return open;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await client.end();
  }
}

export interface Case {
  readonly ownerUrl: string;
  readonly environmentId: string;
  /** What the wallet held before. */
  readonly funded: bigint;
  readonly client: Client;
  /** Of the shop, where there is one. */
  readonly diary?: Diary;
}

export async function judge({ ownerUrl, environmentId, funded, client, diary }: Case): Promise<Verdict> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const facts = await readFacts(owner, environmentId);
    const payments = facts.filter((fact) => fact.kind !== "disbursement");
    const contradictions = [
      ...compareWithClient(payments, client),
      ...facts.flatMap(compareWithRail),
      ...(await compareWallet(owner, environmentId, funded, payments)),
      ...(await compareEvents(owner, environmentId, payments)),
      ...(await findStrangers(owner, environmentId)),
      ...(diary === undefined ? [] : await judgeCheckout(owner, environmentId, diary)),
    ];
    const checkout = await countCheckout(owner, environmentId);
    return { contradictions, counts: { ...Object.fromEntries(countBy(payments)), ...checkout } };
  } finally {
    await owner.end();
  }
}

async function readFacts(owner: pg.Client, environmentId: string): Promise<Facts[]> {
  const result = await owner.query<Facts>(
    `select case t.purpose when 'payout' then 'transfer' else t.purpose end as kind, t.reference, t.status, t.amount,
       t.amount + t.fee + t.vat + t.stamp_duty as spent, b.status as rail_status, b.amount as rail_amount
     from transfers t
     left join simulated_bank.payments b on b.sandbox = t.environment_id and b.session_id = t.session_id
     where t.environment_id = $1
     union all
     select 'bill', b.reference, case b.status when 'successful' then 'completed' else b.status end, b.amount,
       b.amount + b.fee - b.commission, case v.status when 'delivered' then 'paid' else v.status end, v.amount
     from bills b left join simulated_biller.vends v on v.sandbox = b.environment_id and v.request_id = b.id
     where b.environment_id = $1`,
    [environmentId],
  );
  return result.rows;
}

export function compareWithClient(facts: readonly Facts[], client: Client): string[] {
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

const railStatusFor: Readonly<Record<string, readonly (string | null)[]>> = {
  completed: ["paid"],
  failed: ["refused", null],
  reversed: ["reversed"],
};

export function compareWithRail(fact: Facts): string[] {
  const expected = railStatusFor[fact.status];
  if (expected === undefined) return [`${fact.reference} is not final: ${fact.status}`];
  if (!expected.includes(fact.rail_status))
    return [`${fact.reference} is ${fact.status}, the rail says ${fact.rail_status}`];
  if (fact.rail_amount !== null && fact.rail_amount !== fact.amount)
    return [`${fact.reference}: the rail paid ${fact.rail_amount}`];
  return [];
}

/** Payments in the rails' books that no record of ours knows. */
async function findStrangers(owner: pg.Client, environmentId: string): Promise<string[]> {
  const result = await owner.query<{ session_id: string }>(
    `select b.session_id from simulated_bank.payments b
     where b.sandbox = $1 and b.status in ('paid', 'reversed')
       and not exists (select from transfers t where t.session_id = b.session_id)
     union all
     select v.request_id::text from simulated_biller.vends v
     where v.sandbox = $1 and v.status in ('delivered', 'reversed')
       and not exists (select from bills b where b.id = v.request_id)`,
    [environmentId],
  );
  return result.rows.map((row) => `a rail paid ${row.session_id}, which nobody here knows`);
}

export async function compareWallet(
  owner: pg.Client,
  environmentId: string,
  funded: bigint,
  facts: readonly Facts[],
): Promise<string[]> {
  const result = await owner.query<{ balance: bigint }>(
    `select sum(balance)::bigint + (
       select coalesce(sum(amount), 0)::bigint from (
         select amount from loan_repayments where environment_id = $1 and channel = 'wallet'
         union all select amount from loan_reductions where environment_id = $1) paid) as balance
     from accounts where environment_id = $1 and purpose = 'wallet'`,
    [environmentId],
  );
  const spent = facts.filter((fact) => fact.status === "completed").reduce((sum, fact) => sum + fact.spent, 0n);
  const balance = result.rows[0]?.balance;
  return balance === funded - spent
    ? []
    : [`the wallet and what it paid for loans are ${balance}, expected ${funded - spent}`];
}

/** Every outcome is announced exactly once. */
export async function compareEvents(
  owner: pg.Client,
  environmentId: string,
  facts: readonly Facts[],
): Promise<string[]> {
  const result = await owner.query<{ event: string; count: string; records: string }>(
    `select event, count(*) as count, count(distinct resource_id) as records from events
     where environment_id = $1 group by event`,
    [environmentId],
  );
  const found = new Map(result.rows.map((row) => [row.event, row]));
  const [transfers, bills] = (["transfer", "bill"] as const).map((kind) =>
    countBy(facts.filter((fact) => fact.kind === kind)),
  );
  const expected = [
    ...expectedEvents("transfer", "completed", transfers),
    ...expectedEvents("bill", "successful", bills),
  ];
  return expected.flatMap(([event, count]) => {
    const row = found.get(event);
    const announced = Number(row?.count ?? 0);
    const once = row === undefined || row.count === row.records;
    return announced === count && once ? [] : [`${event}: ${announced} events for ${count} records`];
  });
}

/** What was reversed had succeeded before, and that was announced too. */
function expectedEvents(kind: string, success: string, counts: Map<string, number> = new Map()): [string, number][] {
  const reversed = counts.get("reversed") ?? 0;
  return [
    [`${kind}.${success}`, (counts.get("completed") ?? 0) + reversed],
    [`${kind}.failed`, counts.get("failed") ?? 0],
    [`${kind}.reversed`, reversed],
  ];
}

export function countBy(facts: readonly Facts[]): Map<string, number> {
  return new Map([...Map.groupBy(facts, (fact) => fact.status)].map(([status, list]) => [status, list.length]));
}
