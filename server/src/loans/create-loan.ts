import { newLoan } from "../lending/loan.ts";
import { openLoanAccount } from "../lending/open-loan-account.ts";
import { findProduct } from "../lending/products.ts";
import { viewOf } from "../lending/read-loan-account.ts";
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import { schedule } from "../platform/work/agenda.ts";
import { announceRecord } from "./announce-loan.ts";
import { saveApplicant } from "./applicant-store.ts";
import { checkTerms } from "./check-terms.ts";
import type { LoanRequest } from "./loan-request.ts";
import { insertLoan } from "./loan-store.ts";
import { readApplication } from "./read-application.ts";
import { findHome, presentRecord, requireLoan } from "./read-loan.ts";
import { decideTask, decisionDelayMs, nameTask } from "./tasks.ts";

/** Writes a request and its loan account. What follows (the bank's name for the account, the decision) is scheduled. */
export async function createLoan(
  tx: Tx,
  sealer: Sealer,
  { body, kind }: { readonly body: unknown; readonly kind: EnvironmentKind },
): Promise<LoanRequest> {
  const product = await findProduct(tx);
  const application = readApplication(body, kind, (terms) => checkTerms(product, terms));
  const { clock } = tx.environment;
  const id = clock.newId();
  const applicantId = await saveApplicant(tx, sealer, application);
  const account = await openLoanAccount(tx, { owner: { kind: "loan_request", id }, product, terms: application });
  const decidesAt = clock.after(decisionDelayMs);
  await schedule(tx, [
    { kind: nameTask, subject: id },
    // Live, a person decides.
    ...(kind === "SANDBOX" ? [{ kind: decideTask, subject: id, dueAt: decidesAt }] : []),
  ]);
  await insertLoan(tx, sealer, { id, accountId: account.id, applicantId, application });
  const loan = await requireLoan(tx, sealer, id);
  const view = viewOf(newLoan({ account, product }), lagosDate(clock.now()));
  await announceRecord(tx, "loan.created", account, presentRecord({ loan, view }, await findHome(tx)));
  return loan;
}
