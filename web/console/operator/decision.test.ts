import { expect, test } from "vitest";
import { answersTo, mayDecide } from "./decision.ts";

const asked = { id: "1", customerId: "2", name: "Adaeze" };

test.each([
  ["loan", ["/loans/1/approve", "/loans/1/reject"]],
  ["loan_payout", ["/loans/1/disburse"]],
  ["checkout_loan_payout", ["/checkout-loans/1/disburse"]],
  ["contact_change", ["/customers/2/contact-changes/1/approve", "/customers/2/contact-changes/1/reject"]],
  ["identity", ["/customers/1/kyc", "/customers/1/kyc"]],
] as const)("%s is decided by the operator's routes", (kind, paths) => {
  expect(answersTo({ ...asked, kind }).map(({ path }) => path)).toEqual(paths);
});

test("support decides about customers, admins about all, reconciliation about nothing", () => {
  const allowed = (role: string) => (["loan", "identity"] as const).map((kind) => mayDecide(role, { kind }));
  expect([allowed("admin"), allowed("support"), allowed("reconciliation")]).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
});
