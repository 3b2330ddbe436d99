/** A decision that waits, and the answers that an operator can give to it. */
export const kinds = {
  loan: "Loan",
  loan_payout: "Payout of a loan",
  checkout_loan_payout: "Payout of a purchase",
  contact_change: "New contact data",
  identity: "Identity",
} as const;

export interface Decision {
  readonly kind: keyof typeof kinds;
  readonly id: string;
  readonly customerId: string | null;
  readonly environmentId: string;
  readonly environment: "LIVE" | "SANDBOX";
  readonly merchant: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly amount: number | null;
  readonly detail: string | null;
  readonly since: string;
  readonly ageSeconds: number;
}

interface Answer {
  readonly label: string;
  /** What will happen, in one sentence. */
  readonly about: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
  readonly isNo?: true;
}

/** What people of the role support decide; the rest is for admins. The server refuses all the same. */
const ofSupport: readonly Decision["kind"][] = ["contact_change", "identity"];

export function mayDecide(role: string | undefined, { kind }: Pick<Decision, "kind">): boolean {
  return role === "admin" || (role === "support" && ofSupport.includes(kind));
}

type Asked = Pick<Decision, "kind" | "id" | "customerId" | "name">;

export function answersTo({ kind, id, customerId, name }: Asked): readonly Answer[] {
  const payAgain = "Starts one more payout. Ask the lender's bank first why the earlier ones failed.";
  switch (kind) {
    case "loan":
      return [
        { label: "Approve", about: `Grants the loan to ${name} and has it paid out.`, path: `/loans/${id}/approve` },
        {
          label: "Reject",
          about: `Refuses the loan of ${name}. This is final.`,
          path: `/loans/${id}/reject`,
          isNo: true,
        },
      ];
    case "loan_payout":
      return [{ label: "Pay out again", about: payAgain, path: `/loans/${id}/disburse` }];
    case "checkout_loan_payout":
      return [{ label: "Pay out again", about: payAgain, path: `/checkout-loans/${id}/disburse` }];
    case "contact_change": {
      const change = `/customers/${customerId}/contact-changes/${id}`;
      const yes = `Codes for ${name} go to the new contact data from now on. Only with proof of who asked.`;
      return [
        { label: "Approve", about: yes, path: `${change}/approve` },
        { label: "Reject", about: "Nothing changes. It can be asked for again.", path: `${change}/reject`, isNo: true },
      ];
    }
    case "identity": {
      const path = `/customers/${id}/kyc`;
      const yes = `${name} can borrow from now on, whatever the register says later.`;
      return [
        { label: "Confirm", about: yes, path, body: { status: "verified" } },
        { label: "Refuse", about: `${name} cannot borrow.`, path, body: { status: "failed" }, isNo: true },
      ];
    }
  }
}
