import { openLoanAccount } from "../lending/open-loan-account.ts";
import { findProduct } from "../lending/products.ts";
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import { takePositions } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { schedule } from "../platform/work/agenda.ts";
import { announceRecord } from "./announce-loan.ts";
import { saveApplicant } from "./applicant-store.ts";
import { checkTerms } from "./check-terms.ts";
import { type LoanRequest, loanList } from "./loan-request.ts";
import { insertLoan } from "./loan-store.ts";
import { readApplication } from "./read-application.ts";
import { requireLoan } from "./read-loan.ts";
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
  const position = await takePositions(tx, loanList, 1);
  await insertLoan(tx, sealer, { id, accountId: account.id, applicantId, position, application });
  await announceRecord(tx, sealer, "loan.created", account);
  return requireLoan(tx, sealer, id);
}
