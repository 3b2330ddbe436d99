/** The checkout after the storm: what the shop was told, our records and the rails' own books, held against each other. */
import type pg from "pg";
import { checkoutChecks } from "./checkout-checks.ts";
import { type Diary, type Money, orderName } from "./diary.ts";

interface LoanRow {
  readonly id: string;
  readonly customer_id: string;
  readonly amount: bigint;
  readonly status: string;
  readonly consent_status: string;
}

interface MoneyRow {
  readonly reference: string;
  readonly kind: Money["kind"];
  readonly loan_id: string;
  readonly amount: bigint;
}

export async function judgeCheckout(owner: pg.Client, environmentId: string, diary: Diary): Promise<string[]> {
  const found: string[] = diary.surprises.map((surprise) => `the shop was surprised: ${surprise}`);
  for (const check of checkoutChecks) {
    const { rows } = await owner.query<{ what: string }>(check, [environmentId]);
    found.push(...rows.map((row) => row.what));
  }
  return [
    ...found,
    ...(await comparePeople(owner, environmentId, diary)),
    ...(await compareLoans(owner, environmentId, diary)),
    ...(await compareMoney(owner, environmentId, diary)),
  ];
}

/** What happened, in figures: a campaign in which nothing was collected proves nothing about collecting. */
export async function countCheckout(owner: pg.Client, environmentId: string): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ what: string; count: string }>(
    `select 'loan ' || status as what, count(*) from checkout_loans where environment_id = $1 group by status
     union all select 'charge ' || kind || ' ' || status, count(*) from card_charges where environment_id = $1
     group by kind, status
     union all select 'repayment by ' || channel, count(*) from loan_repayments where environment_id = $1
     group by channel
     union all select 'refund', count(*) from loan_reductions where environment_id = $1
     order by 1`,
    [environmentId],
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]));
}

async function comparePeople(owner: pg.Client, environmentId: string, diary: Diary): Promise<string[]> {
  const { rows } = await owner.query<{ id: string; external_id: string; default_card_id: string | null }>(
    "select id, external_id, default_card_id from customers where environment_id = $1 and external_id like 'crash-%'",
    [environmentId],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return [
    ...[...diary.customers].filter((id) => !known.has(id)).map((id) => `customer ${id} was onboarded and is not there`),
    ...[...diary.linked]
      .filter((id) => known.get(id)?.default_card_id === null)
      .map((id) => `customer ${id} was told of a card and has none`),
    ...doubles(rows.map((row) => row.external_id)).map((name) => `customer ${name} is there more than once`),
  ];
}

async function compareLoans(owner: pg.Client, environmentId: string, diary: Diary): Promise<string[]> {
  const { rows } = await owner.query<LoanRow>(
    "select id, customer_id, amount, status, consent_status from checkout_loans where environment_id = $1",
    [environmentId],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const names = rows.map(({ customer_id: customerId, amount }) => orderName({ customerId, amount }));
  const statusOf = (id: string): string => known.get(id)?.status ?? "missing";
  const lost = [...diary.loans].filter(([id, order]) => {
    const row = known.get(id);
    return row === undefined || row.customer_id !== order.customerId || row.amount !== order.amount;
  });
  return [
    ...lost.map(([id]) => `loan ${id} was acknowledged and is not there as it was`),
    ...names.filter((name) => !diary.orders.has(name)).map((name) => `loan ${name} was never asked for`),
    ...doubles(names).map((name) => `loan ${name} was asked for once and is there twice`),
    ...[...diary.consents]
      .filter((id) => known.get(id)?.consent_status !== "consented")
      .map((id) => `the consent to loan ${id} was acknowledged and is not there`),
    ...[...diary.cancelled]
      .filter((id) => statusOf(id) !== "cancelled")
      .map((id) => `loan ${id} was cancelled and is ${statusOf(id)}`),
  ];
}

async function compareMoney(owner: pg.Client, environmentId: string, diary: Diary): Promise<string[]> {
  const { rows } = await owner.query<MoneyRow>(
    `select m.reference, m.kind, l.id as loan_id, m.amount from (
       select reference, channel as kind, account_id, amount from loan_repayments
       where environment_id = $1 and not exists (
         select from card_charges c where c.environment_id = $1 and c.repayment_id = loan_repayments.id
           and c.kind = 'collection')
       union all
       select reference, 'refund', account_id, amount from loan_reductions where environment_id = $1) m
     left join checkout_loans l on l.environment_id = $1 and l.reference = m.account_id`,
    [environmentId],
  );
  const known = new Map(rows.map((row) => [row.reference, row]));
  return [
    ...[...diary.money].flatMap(([reference, money]) => compareOne(reference, money, known.get(reference))),
    ...rows
      .filter((row) => !diary.money.has(row.reference))
      .map((row) => `${row.kind} ${row.reference} was never asked for`),
    ...doubles(rows.map((row) => row.reference)).map((reference) => `${reference} was taken more than once`),
  ];
}

function compareOne(reference: string, money: Money, row: MoneyRow | undefined): string[] {
  const { kind, loanId, amount, told } = money;
  if (row === undefined) return told === "taken" ? [`${kind} ${reference} was acknowledged and is not there`] : [];
  if (told === "declined") return [`${kind} ${reference} was declined and is there`];
  if (row.kind === kind && row.loan_id === loanId && row.amount === amount) return [];
  return [`${kind} ${reference} of ${amount} is there as ${row.kind} of ${row.amount}`];
}

function doubles(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].filter(([, same]) => same.length > 1).map(([name]) => name);
}
