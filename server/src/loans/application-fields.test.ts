/** The words in which a loan is asked for: everything is a string, and each field is judged for itself. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { createBody } from "./application-fields.ts";

const body = {
  first_name: "Adaeze",
  last_name: "Okafor",
  phone: "+2348031234567",
  nin: "12345678901",
  bvn: "22123456789",
  amount: "50000",
  tenure_type: "monthly",
  email: "adaeze@example.com",
  tenure: "6",
  bank_code: "058",
  account_number: "0123456789",
  longitude: "3.3792",
  latitude: "6.5244",
};
const complaints = complaintsOf(createBody);
const fieldsOf = (change: object) => Object.keys(complaints({ ...body, ...change }));

const accepted: Readonly<Record<keyof typeof body, readonly string[]>> = {
  first_name: ["Ọlá", "Jean-Luc", "N'Golo", "A", "x".repeat(100)],
  last_name: ["Okafor", "van der Merwe", "x".repeat(100)],
  phone: ["+2348031234567", "2348031234567", "08031234567"],
  nin: ["00000000000", "99999999999"],
  bvn: ["22123456789"],
  amount: ["1", "50000.5", "50000.50", "0.01", "9".repeat(13)],
  tenure_type: ["daily", "weekly", "monthly"],
  email: ["a@b.ng", "adaeze+loan@example.com"],
  tenure: ["1", "12", "99999"],
  bank_code: ["058", "000013", "x".repeat(20)],
  account_number: ["0000000000", "9999999999"],
  longitude: ["-180", "180", "0", "3.3792"],
  latitude: ["-90", "90", "0", "-6.5"],
};

const refused: Readonly<Record<keyof typeof body, readonly unknown[]>> = {
  first_name: ["", "  ", "x".repeat(101), 7, null],
  last_name: ["", "\t", "x".repeat(101), ["Okafor"]],
  phone: ["", "0803", "phone", 8_031_234_567],
  nin: ["", "1234567890", "123456789012", "1234567890a", " 12345678901", 12_345_678_901],
  bvn: ["", "2212345678", "221234567890", "22123456789\n"],
  amount: ["", "-1", "1e5", "50,000", "50000.", ".5", "50000.505", "₦50000", "9".repeat(14), 50_000, " 1"],
  tenure_type: ["", "Monthly", "yearly", null],
  email: ["", "adaeze", "adaeze@", `${"x".repeat(320)}@example.com`],
  tenure: ["", "0", "06", "-6", "6.5", "six", "100000", 6],
  bank_code: ["", "x".repeat(21), 58],
  account_number: ["", "012345678", "01234567890", "012345678a", 123_456_789],
  longitude: ["", "180.1", "-181", "east", "3,3", 3.3792],
  latitude: ["", "90.1", "-91", "north", null],
};

const names = Object.keys(body) as (keyof typeof body)[];

describe("a loan is asked for", () => {
  test("with all of its fields: each one that is missing is named", () => {
    expect(complaints(body)).toEqual({});
    expect(Object.keys(complaints({})).sort()).toEqual([...names].sort());
  });

  test.each(names)("not without %s", (name) => {
    const { [name]: _, ...rest } = body;
    expect(complaints(rest)).toEqual({ [name]: "is required" });
  });

  test.each(names.flatMap((name) => accepted[name].map((value) => [name, value] as const)))(
    "with %s %j",
    (name, value) => {
      expect(fieldsOf({ [name]: value })).toEqual([]);
    },
  );

  test.each(names.flatMap((name) => refused[name].map((value) => [name, value] as const)))(
    "not with %s %j",
    (name, value) => {
      expect(fieldsOf({ [name]: value })).toEqual([name]);
    },
  );

  test("and told everything that is wrong at once", () => {
    expect(fieldsOf({ nin: "1", bvn: "2", amount: "", tenure: "0" }).sort()).toEqual([
      "amount",
      "bvn",
      "nin",
      "tenure",
    ]);
  });
});
