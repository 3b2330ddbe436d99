/**
 * People pay by hand within a limit; `approvals` knows it, and is asked before a person takes money out of a wallet in
 * any way: payouts, bills, repayments and refunds. Moves between the merchant's own wallets are free.
 */

import type { Kobo } from "../money/kobo.ts";
import { type Database, readEnvironment } from "../platform/database/database.ts";
import type { Caller, Member } from "../platform/http/caller.ts";
import { Problem } from "../platform/problem.ts";
import { findByReference } from "../platform/records/reference-claims.ts";

/** Throws `approval_needed`. What is returned takes the attempt back, for a payment that was refused. */
export type LimitPeople = (
  payer: Pick<Member, "environmentId" | "person">,
  spending: { readonly reference: string; readonly amount: Kobo },
) => Promise<() => Promise<void>>;

export interface LimitDependencies {
  readonly db: Database;
  readonly limitPeople: LimitPeople;
}

interface Attempt<T> {
  /** Whose references these are. */
  readonly list: string;
  readonly reference: string;
  readonly amount: Kobo;
  pay(): Promise<T>;
}

export async function payWithinLimit<T>(
  { db, limitPeople }: LimitDependencies,
  { person, environmentId }: Pick<Caller, "person" | "environmentId">,
  { list, reference, amount, pay }: Attempt<T>,
): Promise<T> {
  if (person === null || amount === 0n) return pay();
  // A reference that was used stands for its record: whatever is asked under it, nothing is paid again.
  const known = await readEnvironment(db, environmentId, (tx) => findByReference(tx, list, reference));
  if (known !== null) return pay();
  const takeBack = await limitPeople({ environmentId, person }, { reference, amount });
  try {
    return await pay();
  } catch (error) {
    // Refused, so nothing was taken. What else goes wrong may have paid, and counts.
    if (error instanceof Problem && error.status < 500) await takeBack();
    throw error;
  }
}
