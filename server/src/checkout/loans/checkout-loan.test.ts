import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { canMove as accountCanMove, type LoanStatus, loanTransitions } from "../../lending/account/loan-account.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { kycTransitions } from "../customers/customer.ts";
import {
  type CheckoutLoanStatus,
  canMove,
  checkoutLoanTransitions,
  consentTransitions,
  isPending,
  openStatuses,
} from "./checkout-loan.ts";

const { ownerUrl } = await createTestDatabase();
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const statuses = keysOf(checkoutLoanTransitions);

async function allowedBy(table: string, constraint: string): Promise<string[]> {
  const found = await owner.query<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and conname = $2",
    [table, constraint],
  );
  return [...(found.rows[0]?.definition ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1] ?? "").sort();
}

describe("the tables of transitions", () => {
  test("have the states that the database allows", async () => {
    expect(await allowedBy("checkout_loans", "checkout_loans_status_check")).toEqual([...statuses].sort());
    const consent = await allowedBy("checkout_loans", "checkout_loans_consent_status_check");
    expect(consent).toEqual(Object.keys(consentTransitions).sort());
    const kyc = await allowedBy("customers", "customers_kyc_status_check");
    expect(kyc).toEqual(Object.keys(kycTransitions).sort());
  });

  /** What a loan account calls a checkout loan's state. */
  const ofAccount = (status: CheckoutLoanStatus): LoanStatus => {
    if (isPending(status)) return "pending";
    return status === "expired" ? "cancelled" : (status as LoanStatus);
  };

  test("allow a step exactly when the loan account does, but for those that the account knows nothing of", () => {
    for (const from of statuses) {
      for (const to of statuses) {
        const ownAffair = isPending(from) && isPending(to);
        const unsaid = from === "approved" && to === "expired";
        const expected = unsaid ? false : accountCanMove(ofAccount(from), ofAccount(to));
        if (!ownAffair) expect(canMove(from, to), `${from} to ${to}`).toBe(expected);
      }
    }
    expect(canMove("pending_consent", "pending_card")).toBe(true);
    expect(canMove("pending_card", "pending_consent")).toBe(false);
  });

  test("count what may still cost money as open", () => {
    const ended = statuses.filter((status) => !(openStatuses as readonly string[]).includes(status));
    expect(ended.sort()).toEqual(["cancelled", "completed", "expired", "rejected", "written_off"]);
    expect(Object.keys(loanTransitions)).toHaveLength(9);
  });
});
