/** The words in which a payout is asked for, each judged for itself. */
import { judgeFields } from "../../../testing/platform/judge-fields.ts";
import * as fields from "./fields.ts";

judgeFields("a payout", [
  [
    "account number",
    fields.AccountNumber,
    ["0690000032", "0000000000", "9999999999"],
    [
      "069000003",
      "06900000321",
      "069000003a",
      "0690 00032",
      "０６９０００００３２",
      "0690000032\n",
      690_000_032,
      null,
      "",
    ],
  ],
  ["bank code", fields.BankCode, ["044", "000014", "x".repeat(20)], ["", "x".repeat(21), 44, null]],
  [
    "amount",
    fields.Amount,
    [0.01, 1, 99.99, 2_500.5, 10_000_000, 10_000_001],
    [0, -0.01, -1, 0.001, 2_500.505, "2500.50", "", null, true],
  ],
  ["currency", fields.Currency, ["NGN"], ["ngn", "USD", "", " NGN", null, 566]],
  ["reference", fields.Reference, ["p", "payout 1042", "Ọ̀rẹ́/7", "x".repeat(100)], ["", "x".repeat(101), 1_042, null]],
  ["narration", fields.Narration, ["", "October", "x".repeat(100)], ["x".repeat(101), 10, null]],
  ["account name", fields.AccountName, ["Adaeze Okafor", "x".repeat(200)], ["", "x".repeat(201), 7, null]],
]);
