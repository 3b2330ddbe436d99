/** The words in which a payout is asked for, each judged for itself. */
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import * as fields from "./fields.ts";

const cases: readonly (readonly [string, TSchema, readonly unknown[], readonly unknown[]])[] = [
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
];

describe.each(cases)("the %s of a payout", (_, schema, accepted, refused) => {
  const complaints = complaintsOf(Type.Object({ field: schema }));

  test.each(accepted.map((value) => [value]))("may be %j", (field) => {
    expect(complaints({ field })).toEqual({});
  });

  test.each(refused.map((value) => [value]))("is not %j", (field) => {
    expect(Object.keys(complaints({ field }))).toEqual(["field"]);
  });

  test("shows an example that it accepts itself", () => {
    const { examples = [] } = schema as { readonly examples?: readonly unknown[] };
    expect(examples.length).toBeGreaterThan(0);
    for (const field of examples) expect(complaints({ field })).toEqual({});
  });
});
