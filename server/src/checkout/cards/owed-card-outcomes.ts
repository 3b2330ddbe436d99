import type { OwedKind } from "../../rails/owed-outcomes.ts";

/** Charges and refunds whose outcome the card network owes us. */
export const owedCardOutcomes: readonly OwedKind[] = [
  {
    type: "card_charge",
    noun: "card charges",
    gauge: "jara_unknown_card_charges",
    lookup: "list_unknown_charges",
    detail: (column) => ({ loanId: column("loan_id") }),
  },
  {
    type: "card_refund",
    noun: "card refunds",
    gauge: "jara_unknown_card_refunds",
    lookup: "list_unknown_card_refunds",
    detail: (column) => ({ loanId: column("loan_id") }),
  },
];
