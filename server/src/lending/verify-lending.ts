/** Checks of the loans: against the ledger, their plans and their products. */

import { sql } from "kysely";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { add, subtract } from "../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import { lendingPurposes } from "./account/lending-accounts.ts";
import { findLoan, type Loan } from "./account/loan.ts";
import { listAccountIds } from "./account/loan-account-store.ts";
import { sharesOf } from "./account/loan-ledger.ts";
import { refundableOf } from "./account/read-loan-account.ts";
import { scheduled } from "./position/instalment.ts";
import { overdrawnWays } from "./position/ways.ts";

const pageSize = 200;

/**
 * Recomputes what every loan of the environment means to the ledger and names every account whose balance differs,
 * every plan that its product version would not give again, every loan that was refunded beyond its amount, and every
 * way by which more went back than came. Intact books return an empty list. Loans and balances are read one after
 * another: the caller's transaction must see one picture (repeatable read) or be alone.
 */
export async function verifyLending(tx: Tx): Promise<Difference[]> {
  const expected = new Map<string, Kobo>();
  const differences: Difference[] = [];
  let after: string | null = null;
  for (;;) {
    const ids: string[] = await listAccountIds(tx, after, pageSize);
    for (const id of ids) {
      const loan = await findLoan(tx, id);
      if (loan === undefined) throw new Error(`loan account ${id} vanished`);
      differences.push(...planDifferences(loan), ...refundDifferences(loan), ...wayDifferences(loan));
      for (const [accountId, share] of sharesOf(tx.environment.id, loan)) {
        expected.set(accountId, add(expected.get(accountId) ?? zeroKobo, share));
      }
    }
    after = ids.at(-1) ?? null;
    if (ids.length < pageSize) break;
  }
  return [...differences, ...(await balanceDifferences(tx, expected))];
}

async function balanceDifferences(tx: Tx, expected: ReadonlyMap<string, Kobo>): Promise<Difference[]> {
  const accounts = lendingPurposes.map((purpose) => ({ purpose, id: systemAccountId(tx.environment.id, purpose) }));
  const balances = await readBalances(
    tx,
    accounts.map(({ id }) => id),
  );
  return accounts.flatMap(({ purpose, id }) => {
    const wanted = expected.get(id) ?? zeroKobo;
    const found = balances.get(id) ?? zeroKobo;
    if (wanted === found) return [];
    return [{ check: "balance equals loans", subject: purpose, expected: String(wanted), found: String(found) }];
  });
}

function planDifferences({ account, product, history }: Loan): Difference[] {
  if (account.startDate === null) return [];
  const again = scheduled(product, account, account.startDate);
  const wanted = again.map(written).join(" ");
  const found = history.instalments.map(written).join(" ");
  if (wanted === found) return [];
  return [{ check: "plan follows from its product", subject: account.id, expected: wanted, found }];
}

function refundDifferences(loan: Loan): Difference[] {
  const refundable = refundableOf(loan);
  if (refundable >= 0n) return [];
  const { id, amount } = loan.account;
  const found = String(subtract(amount, refundable));
  return [{ check: "refunds stay within the loan", subject: id, expected: `at most ${amount}`, found }];
}

function wayDifferences({ account, history }: Loan): Difference[] {
  return overdrawnWays(history).map(({ channel, walletId, repaymentId, came, went }) => {
    const subject = [account.id, channel, walletId ?? repaymentId].filter((word) => word !== null).join(" ");
    return { check: "no more goes back than came", subject, expected: `at most ${came}`, found: String(went) };
  });
}

function written({ number, dueDate, principal, interest, fees }: Loan["history"]["instalments"][number]): string {
  return `${number}/${dueDate}/${principal}/${interest}/${fees}`;
}

/**
 * Every live loan was made with the version of its product that counted at that moment. A sandbox's clock can be set
 * back, so there a later version may rightly bear an earlier date. Intact records return an empty list.
 */
export async function verifyProducts(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const found = await sql<Difference>`
    select 'loan has the product of its day' as check, a.id::text as subject,
      coalesce(d.version::text, 'none') as expected, a.product_version::text as found
    from loan_accounts a
    left join lateral (
      select p.version from loan_products p
      where p.environment_id = a.environment_id and p.id = a.product_id and p.effective_from <= a.created_at
        and p.created_at <= a.created_at
      order by p.effective_from desc, p.version desc limit 1) d on true
    where a.environment_id = ${tx.environment.id} and d.version is distinct from a.product_version
    limit 1000`.execute(tx);
  return found.rows;
}
