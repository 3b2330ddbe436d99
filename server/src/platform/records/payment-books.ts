/**
 * What the rows of a slice mean to the ledger: payments that are held on a wallet first, and then spent or given back.
 * Verification compares them with what was posted, record by record, and refuses other postings on the same accounts.
 */
import type { RawBuilder } from "kysely";

export interface PaymentBooks {
  /** What a posting calls such a record: "transfer". */
  readonly type: string;
  /** The system accounts that a payment ends on. */
  readonly accounts: readonly string[];
  /**
   * Selects a row for each record of an environment: `id`; `owner`, the account it is paid from; `held`, what is held
   * of it now; `parts`, what each of `accounts` has of it now; `postings`, how many transactions it has.
   */
  records(environmentId: string): RawBuilder<unknown>;
}
