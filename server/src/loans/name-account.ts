/** Asks the bank who holds the applicant's account, after the request was written and outside of any transaction. */

import { type Database, inEnvironment, readEnvironment } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { schedule } from "../platform/work/agenda.ts";
import { type Bank, findBank } from "../rails/bank-directory.ts";
import type { BankRails } from "../rails/desk.ts";
import type { LoanRequest } from "./loan-request.ts";
import { findLoan, nameAccount } from "./loan-store.ts";
import type { Home } from "./present-request.ts";
import { findHome } from "./read-loan.ts";
import { nameTask } from "./tasks.ts";

export interface NamingDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: BankRails;
}

export interface Naming {
  readonly environmentId: string;
  readonly id: string;
  /** How often the bank could not be asked so far. */
  readonly failures: number;
}

const retryAfterMs = [60_000, 300_000, 1_800_000, 7_200_000];

/** A bank that is away is asked again a few times; the disbursement asks once more in any case. */
export async function nameApplicantAccount(deps: NamingDependencies, naming: Naming): Promise<void> {
  const found = await readUnnamed(deps, naming);
  if (found === undefined) return;
  const { loan, home, bank } = found;
  const { environmentId } = naming;
  const question = { environmentId, nipCode: bank.nipCode, accountNumber: loan.accountNumber };
  const bankRail = await deps.rails.bank.find({ environmentId, kind: home.kind });
  if (typeof bankRail === "string") return askLater(deps, naming);
  const answer = await bankRail.rail.resolveAccount(question);
  if (answer.found === "unavailable") return askLater(deps, naming);
  const accountName = answer.found === "yes" ? answer.accountName : null;
  await inEnvironment(deps.db, environmentId, (tx) => nameAccount(tx, loan.id, { bankName: bank.name, accountName }));
}

async function readUnnamed(
  { db, sealer }: NamingDependencies,
  { environmentId, id }: Naming,
): Promise<{ loan: LoanRequest; home: Home; bank: Bank } | undefined> {
  return readEnvironment(db, environmentId, async (tx) => {
    const [loan, home] = [await findLoan(tx, sealer, id), await findHome(tx)];
    if (loan === undefined || loan.accountName !== null) return undefined;
    const bank = findBank(loan.bankCode, home.kind);
    return bank === undefined ? undefined : { loan, home, bank };
  });
}

async function askLater({ db }: NamingDependencies, { environmentId, id, failures }: Naming): Promise<void> {
  const waitMs = retryAfterMs[failures];
  if (waitMs === undefined) return;
  await inEnvironment(db, environmentId, (tx) => {
    const dueAt = tx.environment.clock.after(waitMs);
    return schedule(tx, [{ kind: nameTask, subject: id, payload: { failures: failures + 1 }, dueAt }]);
  });
}
