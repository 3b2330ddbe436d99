/** What a customer agrees to, as tests have it: a lender, a product, and terms of one payment. */
import type { ConsentTerms } from "../../src/checkout/consent/terms.ts";
import type { Lender } from "../../src/checkout/loans/lender.ts";
import { checkoutProduct } from "../../src/lending/pricing/products.ts";

export const lender: Lender = {
  name: "Ajo Credit Ltd",
  registration: "FCCPC/DL/2026/77",
  email: "help@ajo.ng",
  phone: "0700 111 2222",
  regulator: "FCCPC: fccpc.gov.ng",
};

export const product = { ...checkoutProduct, id: "p", version: 1 };

export const terms: ConsentTerms = {
  lender: lender.name,
  merchant: "Ada's Shop",
  currency: "NGN",
  amount: "60000.00",
  tenor: 1,
  tenor_type: "monthly",
  interest_rate: 2.5,
  total_interest: "1500.00",
  total_fees: "0.00",
  total_repayment: "61500.00",
  installment_amount: "61500.00",
  schedule: [
    {
      installment_number: 1,
      due_date: "2026-12-02",
      principal: "60000.00",
      interest: "1500.00",
      fees: "0.00",
      amount_due: "61500.00",
    },
  ],
  statement: "I borrow",
};
