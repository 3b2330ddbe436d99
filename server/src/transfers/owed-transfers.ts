import { Type } from "typebox";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import { bankName } from "../rails/bank-directory.ts";

/** Payouts whose outcome the bank owes us. */
const ofTransfers = (example: string) => Type.String({ description: "Transfers.", examples: [example] });

export const owedTransfers: OwedKind = {
  type: "transfer",
  noun: "payouts",
  gauge: "jara_unknown_transfers",
  // CBN, Regulation on Instant EFT (2018): what failed is back with the sender within ten minutes; what is not reversed
  // within a day of a complaint is fined.
  clocks: [
    { name: "returned", seconds: 600 },
    { name: "resolved", seconds: 86_400 },
  ],
  fields: {
    bankCode: ofTransfers("044"),
    bankName: ofTransfers("Access Bank"),
    sessionId: ofTransfers("999001261103101500000000000042"),
  },
  detail: (column) => {
    const bankCode = column("bank_code");
    return { bankCode, bankName: bankName(bankCode), sessionId: column("session_id") };
  },
};
