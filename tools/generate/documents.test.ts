/** The documents that are made of catalogues and of the credit policy. */
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { reasonCodes } from "../../server/src/checkout/credit/decide.ts";
import { nothingRepaid, startingPolicy } from "../../server/src/checkout/credit/policy.ts";
import { kobo } from "../../server/src/money/kobo.ts";
import { creditPolicyDocument } from "./credit-policy-document.ts";
import { errorsDocument } from "./errors-document.ts";
import { eventsDocument } from "./events-document.ts";

describe("errors.md", () => {
  const lineOf = (kind: Parameters<typeof errorsDocument>[0][string], begin: string) =>
    errorsDocument({ odd: kind })
      .split("\n")
      .find((line) => line.startsWith(begin));

  test.each([
    [
      "a field that is not always there",
      Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }),
      "{ a, b? }",
    ],
    ["a record inside", Type.Object({ a: Type.Object({ b: Type.String() }) }), "{ a: { b } }"],
    ["a list of records", Type.Object({ a: Type.Array(Type.Object({ b: Type.String() })) }), "{ a: [{ b }] }"],
    ["a list alone", Type.Array(Type.Object({ b: Type.String() })), "[{ b }]"],
    ["a list of words", Type.Array(Type.String()), "[string]"],
  ])("shows %s", (_case, data, shape) => {
    const found = lineOf({ status: 422, cause: "Odd.", cure: "Mend it.", data }, "- `data`:");
    expect(found).toBe(`- \`data\`: \`${shape}\``);
  });

  test("shows each of several shapes", () => {
    const data = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
    expect(lineOf({ status: 409, cause: "Odd.", cure: "Mend it.", data }, "- `data`:")).toBe(
      "- `data`: `{ a }` or `{ b }`",
    );
  });

  test("a reply that only says when to come back has no shape", () => {
    expect(lineOf({ status: 503, cause: "Away.", cure: "Come back.", retryAfter: true }, "- `data`:")).toBe(
      "- `data`: with `Retry-After`",
    );
  });

  test("a code without data has no such line", () => {
    expect(lineOf({ status: 422, cause: "Odd.", cure: "Mend it." }, "- `data`:")).toBeUndefined();
  });

  test("a cure that begins with a field of the reply marks it", () => {
    const document = errorsDocument({ odd: { status: 422, cause: "It ended.", cure: "errors lists each field." } });
    expect(document).toContain("- Cause: It ended.\n- Cure: `errors` lists each field.\n");
  });

  test("statuses stand by number, and a rare one without advice still has its codes", () => {
    const document = errorsDocument({
      late: { status: 503, cause: "Late.", cure: "Wait." },
      tea: { status: 418, cause: "Tea.", cure: "Make coffee." },
    });
    expect(document.indexOf("## 418")).toBeGreaterThan(-1);
    expect(document.indexOf("## 418")).toBeLessThan(document.indexOf("## 503"));
    expect(document).toContain("### `tea`");
  });
});

describe("events.md", () => {
  const data = Type.Object({ id: Type.String({ examples: ["z1"] }) });

  test("shows the example that a kind gives before one that is made of its schema", () => {
    const document = eventsDocument({ "zebra.born": { description: "Born.", data, example: { id: "given" } } });
    expect(document).toContain('"id": "given"');
    expect(document).not.toContain('"id": "z1"');
  });

  test("an event of a record that cannot be read says nothing about where", () => {
    const document = eventsDocument({ "zebra.born": { description: "Born.", data } });
    expect(document).not.toContain("The same record:");
  });

  test("each line of the table leads to its section, also with several dots", () => {
    const document = eventsDocument({ "zebra.foal.born": { description: "Born.", data } });
    expect(document).toContain("| [`zebra.foal.born`](#zebrafoalborn) | Born. |");
    expect(document).toContain("## zebra.foal.born\n");
  });
});

describe("credit-policy.md", () => {
  const document = creditPolicyDocument(startingPolicy);

  test("has a row for every reason that there is, and for no other", () => {
    const rows = [...document.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
    expect(new Set(rows)).toEqual(new Set(reasonCodes));
  });

  test("tells figures as people write them, from the data that decides", () => {
    expect(document).toContain("A loan has at least 5,000.00 NGN.");
    for (const line of [
      "| 0 or more | 0.00 NGN or more | 200,000.00 NGN |",
      "| 3 or more | 300,000.00 NGN or more | 500,000.00 NGN |",
    ]) {
      expect(document).toContain(line);
    }
    expect(document).toContain("1, 3, 6, 9, 12 months.");
  });

  test("another policy is another document", () => {
    const other = creditPolicyDocument({
      ...startingPolicy,
      version: 7,
      minimumAge: 21,
      mostOpenLoans: 4,
      minimumAmount: kobo(123_456_789n),
      tiers: [{ ...nothingRepaid, limit: kobo(999_999_999_99n) }],
      tenors: [2],
    });
    expect(other).toContain("every environment starts with version 7");
    expect(other).toContain("younger than 21");
    expect(other).toContain("| 4 loans are asked for, approved or out |");
    expect(other).toContain("at least 1,234,567.89 NGN");
    expect(other).toContain("\n2 months.\n");
  });

  test("what merchants report may be no more than what the borrower need not have paid", () => {
    const counting = { repaidPercent: 65, daysOut: 10 };
    const other = creditPolicyDocument({ ...startingPolicy, counting }).replaceAll("\n", " ");
    expect(other).toContain("at least 65 % of the amount lent");
    expect(other).toContain("at most 35 % of the amount");
  });

  test("every row says what the customer is told", () => {
    for (const row of document.split("\n").filter((line) => /^\| `/.test(line))) {
      expect(row.split("|")[3]?.trim()).toMatch(/^[A-Z].+[.!]$/);
    }
  });
});
