import { bankName } from "../rails/bank-directory.ts";
import type { OwedKind } from "../rails/owed-outcomes.ts";

/** Payouts whose outcome the bank owes us. */
export const owedTransfers: OwedKind = {
  type: "transfer",
  noun: "payouts",
  gauge: "jara_unknown_transfers",
  lookup: "list_unknown_transfers",
  detail: (column) => {
    const bankCode = column("bank_code");
    return { bankCode, bankName: bankName(bankCode), sessionId: column("session_id") };
  },
};
