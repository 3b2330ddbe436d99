import { Type } from "typebox";
import type { OwedKind } from "../../platform/records/owed-kind.ts";

const fields = {
  loanId: Type.String({ format: "uuid", description: "Card charges and refunds: the loan that they are for." }),
};

/** CBN (June 2020): disputes of payments with a card on the web end within three days. */
const cardClocks = [{ name: "resolved", seconds: 259_200 }];

/** Charges and refunds whose outcome the card network owes us. */
export const owedCardOutcomes: readonly OwedKind[] = [
  {
    type: "card_charge",
    noun: "card charges",
    gauge: "jara_unknown_card_charges",
    clocks: cardClocks,
    fields,
    detail: (column) => ({ loanId: column("loan_id") }),
  },
  {
    type: "card_refund",
    noun: "card refunds",
    gauge: "jara_unknown_card_refunds",
    clocks: cardClocks,
    fields,
    detail: (column) => ({ loanId: column("loan_id") }),
  },
];
