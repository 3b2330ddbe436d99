/**
 * The decision about a request. A sandbox makes it by itself, by what the identity register says of the name and the
 * BVN; elsewhere somebody does, by an operator's endpoint.
 */
import { approveLoanAccount, rejectLoanAccount } from "../lending/account/move-loan-account.ts";
import { type Database, inEnvironment, readEnvironment, type Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { cancelScheduled, schedule } from "../platform/work/agenda.ts";
import { type IdentityRails, railUser } from "../rails/desk.ts";
import { delayAfter } from "../rails/pursue-order.ts";
import { bookDisbursement } from "../transfers/payouts/disbursement.ts";
import { announceLoan } from "./announce-loan.ts";
import { believeApplicant } from "./applicant-store.ts";
import { loanDisbursements } from "./disburse-loan.ts";
import type { LoanRequest } from "./loan-request.ts";
import { findLoan } from "./loan-store.ts";
import { findHome, requireLoan } from "./read-loan.ts";
import { decideTask } from "./tasks.ts";

/** Grants the loan and has it paid out: at once, or in a sandbox a little later. Throws invalid_state. */
export async function approveLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest> {
  const loan = await requireLoan(tx, sealer, id);
  await believeApplicant(tx, sealer, { applicantId: loan.applicant.id, requestId: id });
  await approveLoanAccount(tx, { accountId: loan.accountId, announce: announceLoan(sealer) });
  await cancelScheduled(tx, decideTask, [id]);
  await bookDisbursement(tx, loanDisbursements, id, (await findHome(tx)).kind);
  return requireLoan(tx, sealer, id);
}

/** Throws invalid_state. */
export async function rejectLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest> {
  const loan = await requireLoan(tx, sealer, id);
  await rejectLoanAccount(tx, { accountId: loan.accountId, announce: announceLoan(sealer) });
  await cancelScheduled(tx, decideTask, [id]);
  return requireLoan(tx, sealer, id);
}

export interface DecidingDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: IdentityRails;
}

export interface Deciding {
  readonly environmentId: string;
  readonly id: string;
  /** How often the register could not be asked so far. */
  readonly failures: number;
}

/**
 * A sandbox's own decision. The register is asked outside of any transaction; while it is away the request stays
 * pending. A request that somebody has decided already stays as it is.
 */
export async function decideInSandbox(deps: DecidingDependencies, deciding: Deciding): Promise<void> {
  const { db, sealer, rails } = deps;
  const { environmentId, id, failures } = deciding;
  const asked = await readEnvironment(db, environmentId, async (tx) => {
    const loan = await findLoan(tx, sealer, id);
    return loan?.status === "pending" ? { loan, user: railUser(tx) } : undefined;
  });
  if (asked === undefined) return;
  const found = await rails.identity.find(asked.user);
  const answer =
    typeof found === "string"
      ? ({ outcome: "unavailable" } as const)
      : await found.rail.verify(questionAbout(environmentId, asked.loan));
  await inEnvironment(db, environmentId, async (tx) => {
    const loan = await findLoan(tx, sealer, id);
    if (loan?.status !== "pending") return;
    if (answer.outcome === "matched") await approveLoan(tx, sealer, id);
    else if (answer.outcome === "mismatched") await rejectLoan(tx, sealer, id);
    else await decideLater(tx, id, failures + 1);
  });
}

/**
 * About the name that was sent with this request. Its NIN is left out: a request may bring another one, which is
 * believed when it is approved. The phone that the register knows decides nothing here, for the same reason.
 */
function questionAbout(environmentId: string, { applicant: { bvn }, firstName, lastName, phone }: LoanRequest) {
  return { environmentId, bvn, nin: null, firstName, lastName, phone, dateOfBirth: null };
}

async function decideLater(tx: Tx, id: string, failures: number): Promise<void> {
  const dueAt = tx.environment.clock.after(delayAfter(failures));
  await schedule(tx, [{ kind: decideTask, subject: id, payload: { failures }, dueAt }]);
}
