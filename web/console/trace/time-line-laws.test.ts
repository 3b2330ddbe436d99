/** Traces over random steps, and with details that nobody foresaw. */
import type { TraceStep } from "@jara/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { paymentPath } from "../operator/payment-path.ts";
import { pageOf } from "../shell/found.ts";
import { factsOf, legsOf, linksOf, timeLine } from "./time-line.ts";

const step = (more: Partial<TraceStep> = {}): TraceStep => ({
  at: "2026-11-16T18:45:30.922Z",
  kind: "state",
  title: "Accepted",
  detail: {},
  ids: {},
  ok: true,
  ...more,
});
const began = Date.parse("2026-11-16T18:45:30.922Z");

test("the times between steps add up to the time from the first to the last", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 90_000_000 }), { minLength: 1, maxLength: 20 }), (gaps) => {
      let at = began;
      const steps = gaps.map((gap) => {
        at += gap;
        return step({ at: new Date(at).toISOString() });
      });
      const line = timeLine({ id: "t", kind: "transfer", steps });
      const [first, ...rest] = line.map(({ sinceMs }) => sinceMs);
      expect(first).toBeNull();
      expect(rest).toEqual(gaps.slice(1));
      expect(new Set(line.map(({ key }) => key)).size).toBe(steps.length);
    }),
  );
});

test("a trace without steps is an empty line", () => {
  expect(timeLine({ id: "t", kind: "transfer", steps: [] })).toEqual([]);
});

test("the legs of a posting are all told, what left first, and the step keeps its own order", () => {
  const leg = fc.record({ account: fc.string(), amount: fc.integer() });
  fc.assert(
    fc.property(fc.array(leg), (legs) => {
      const posting = step({ kind: "posting", detail: { legs } });
      const before = [...legs];
      const told = legsOf(posting);
      expect(told).toHaveLength(legs.length);
      for (const [at, { amount }] of told.entries())
        expect(amount).toBeGreaterThanOrEqual(told[at - 1]?.amount ?? amount);
      expect(legs).toEqual(before);
    }),
  );
});

test.each([[undefined], [null], ["legs"], [{}], [3]])("legs that are %j are no legs", (legs) => {
  expect(legsOf(step({ detail: { legs } }))).toEqual([]);
});

test.each(["amount", "fee", "vat", "stampDuty", "debit", "balance", "commission", "unitPrice", "feeAmount"])(
  "the number called %s is money",
  (name) => {
    expect(factsOf(step({ detail: { [name]: 1234.5 } }))).toEqual([[name, "₦1,234.50"]]);
  },
);

test.each(["attempts", "status", "feeCount", "amounts", "ageSeconds"])("the number called %s is none", (name) => {
  expect(factsOf(step({ detail: { [name]: 1234.5 } }))).toEqual([[name, "1234.5"]]);
});

test("money that came as text stays the text that it was", () => {
  expect(factsOf(step({ detail: { amount: "100000.00" } }))).toEqual([["amount", "100000.00"]]);
});

test.each([
  ["nothing", { a: null, b: undefined, c: "", d: [], e: {} }, []],
  [
    "no and nought, which say something",
    { ok: false, attempts: 0 },
    [
      ["ok", "false"],
      ["attempts", "0"],
    ],
  ],
  ["a list", { banks: ["044", "058"] }, [["banks", '["044","058"]']]],
  ["depth", { a: { b: { c: "deep" } } }, [["a b c", "deep"]]],
  ["markup", { said: "<script>alert(1)</script>" }, [["said", "<script>alert(1)</script>"]]],
])("details with %s", (_case, detail, facts) => {
  expect(factsOf(step({ detail }))).toEqual(facts);
});

test("every fact of a random detail is a name and a text that is not empty", () => {
  const detail = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(detail, (given) => {
      for (const [name, text] of factsOf(step({ detail: given as Record<string, unknown> }))) {
        expect(name.startsWith("legs")).toBe(false);
        expect(text).not.toBe("");
      }
    }),
  );
});

test.each([
  ["transfer", "/transfers/x"],
  ["bill", "/bills/x"],
  ["loan", "/loans/x"],
  ["event", "/events/x"],
  ["batch", "/bulk/x"],
  ["customer", "/customers/x"],
  ["transaction", "/trace/x"],
  ["charge", "/trace/x"],
])("a step that names a %s leads to %s", (name, path) => {
  expect(linksOf(step({ ids: { [name]: "x" } }), "own")).toEqual([{ name, path }]);
  expect(linksOf(step({ ids: { [name]: "own" } }), "own")).toEqual([]);
});

test("a step that names something by a word that every object has leads nowhere", () => {
  expect(linksOf(step({ ids: { constructor: "x", valueOf: "y" } }), "own")).toEqual([]);
});

test.each([
  ["transfer", "/transfers/x"],
  ["transfer_batch", "/bulk/x"],
  ["bill", "/bills/x"],
  ["loan", "/loans/x"],
  ["customer", "/customers/x"],
  ["checkout_session", "/checkout/x"],
  ["event", "/events/x"],
  ["funding", "/trace/x"],
  ["something_new", "/trace/x"],
  ["constructor", "/trace/x"],
])("a %s that was found is shown at %s", (kind, path) => {
  expect(pageOf({ kind, id: "x" })).toBe(path);
});

test.each([
  ["transfer", "/transfers/x"],
  ["bill", "/bills/x"],
  ["loan", "/trace/x"],
  ["", "/trace/x"],
  ["toString", "/trace/x"],
])("an operator sees a payment of the type %j at %s", (type, path) => {
  expect(paymentPath({ type, id: "x" })).toBe(path);
});
