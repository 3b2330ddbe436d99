/** An explanation can be computed again by anybody who has only its words and numbers: so this test does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kobo, kobo, parseNaira } from "../../money/kobo.ts";
import { createDerivation, type ExplanationStep, operations } from "./derivation.ts";

const amount = (value: bigint): Kobo => kobo(value);

/** Naira with two decimals, as a reader would take it. */
function koboOf(text: string): bigint {
  const read = parseNaira(text);
  if (read === undefined) throw new Error(`${text} is not naira`);
  return read;
}

/** What a step must come to, computed from what it shows and from nothing else. */
function recomputed({ operation, inputs }: ExplanationStep): bigint {
  const shownAs = (name: string) => inputs.find((input) => input.name === name)?.value ?? "";
  const money = inputs.filter(({ value }) => /^-?\d+\.\d{2}$/.test(value)).map(({ value }) => koboOf(value));
  const [first = 0n, second = 0n] = money;
  const parts = BigInt(shownAs("parts") || "1");
  switch (operation) {
    case "sum":
      return money.reduce((all, each) => all + each, 0n);
    case "difference":
      return money.slice(1).reduce((left, each) => left - each, first);
    case "split":
      return first / parts;
    case "rest":
      return first - second * (parts - 1n);
    case "larger":
      return first > second ? first : second;
    case "smaller":
      return first < second ? first : second;
    case "percent": {
      const [whole = "", decimals = ""] = shownAs("rate").split(".");
      const millionths = BigInt(whole + decimals.padEnd(4, "0"));
      const product = first * millionths * BigInt(shownAs("periods"));
      return (product * 2n + 1_000_000n) / 2_000_000n;
    }
    default:
      throw new Error(`${operation} is not recomputed here`);
  }
}

describe("a derivation", () => {
  const money = fc.bigInt({ min: 0n, max: 10n ** 12n });

  test("has steps that anybody can compute again from what they show", () => {
    const parts = fc.integer({ min: 1, max: 36 });
    const rate = fc.bigInt({ min: 0n, max: 200_000n });
    fc.assert(
      fc.property(money, money, parts, rate, (one, other, count, ratio) => {
        const derivation = createDerivation();
        const a = derivation.given("a", "The first.", amount(one));
        const b = derivation.given("b", "The second.", amount(other));
        derivation.sum("sum", "Both.", [a, b]);
        derivation.difference("difference", "What is left.", a, [b]);
        const part = derivation.split("split", "A part.", a, count);
        derivation.rest("rest", "The last part.", a, part, count);
        derivation.larger("larger", "The larger.", a, b);
        derivation.smaller("smaller", "The smaller.", a, b);
        derivation.percent("percent", "A share.", a, ratio, count);
        for (const step of derivation.steps.filter(({ operation }) => operation !== "given")) {
          expect(koboOf(step.result), step.name).toBe(recomputed(step));
        }
      }),
    );
  });

  test("says how it rounds where it does, and nowhere else", () => {
    const derivation = createDerivation();
    const a = derivation.given("a", "The first.", amount(100n));
    derivation.sum("sum", "Both.", [a, a]);
    const part = derivation.split("split", "A part.", a, 3);
    derivation.rest("rest", "The last part.", a, part, 3);
    derivation.percent("percent", "A share.", a, 25_000n, 1);
    derivation.annuity("annuity", "An instalment.", a, 25_000n, 3);
    expect(Object.fromEntries(derivation.steps.map(({ name, rounding }) => [name, rounding]))).toEqual({
      a: null,
      sum: null,
      split: "down to the kobo",
      rest: null,
      percent: "half up to the kobo",
      annuity: "half up to the kobo",
    });
  });

  test("names what each step takes in, so that it can be followed back", () => {
    const derivation = createDerivation();
    const a = derivation.given("amount", "The loan.", amount(5_000_000n));
    const interest = derivation.percent("interest", "Its interest.", a, 40_000n, 3);
    derivation.sum("total", "All of it.", [a, interest]);
    expect(derivation.steps).toEqual([
      { name: "amount", words: "The loan.", operation: "given", inputs: [], rounding: null, result: "50000.00" },
      {
        name: "interest",
        words: "Its interest.",
        operation: "percent",
        inputs: [
          { name: "amount", value: "50000.00" },
          { name: "rate", value: "4" },
          { name: "periods", value: "3" },
        ],
        rounding: "half up to the kobo",
        result: "6000.00",
      },
      {
        name: "total",
        words: "All of it.",
        operation: "sum",
        inputs: [
          { name: "amount", value: "50000.00" },
          { name: "interest", value: "6000.00" },
        ],
        rounding: null,
        result: "56000.00",
      },
    ]);
  });

  test("tells a fact once, however often it is called on", () => {
    const derivation = createDerivation();
    derivation.given("a", "The first.", amount(1n));
    derivation.given("a", "The first.", amount(1n));
    derivation.fact("method", "How interest is counted.", "flat");
    expect(derivation.steps.map(({ name }) => name)).toEqual(["a", "method"]);
  });

  test("counts days between dates", () => {
    const derivation = createDerivation();
    const [from, to] = [Temporal.PlainDate.from("2026-02-28"), Temporal.PlainDate.from("2026-03-02")];
    expect(derivation.days("late", "Days late.", from, to)).toBe(2);
    expect(derivation.steps[0]).toMatchObject({
      operation: "days",
      inputs: [
        { name: "from", value: "2026-02-28" },
        { name: "to", value: "2026-03-02" },
      ],
      result: "2",
    });
  });

  test("knows no operation besides those that are documented", () => {
    const derivation = createDerivation();
    const a = derivation.given("a", "The first.", amount(100n));
    derivation.annuity("b", "An instalment.", a, 0n, 4);
    expect(derivation.steps.every(({ operation }) => operations.includes(operation))).toBe(true);
    expect(derivation.steps.at(-1)?.result).toBe("0.25");
  });
});
