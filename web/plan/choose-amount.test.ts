import { expect, test } from "vitest";
import { choicesOf, readAmount } from "./choose-amount.ts";
import type { PlanView } from "./plan-view.ts";
import { newPress } from "./press.ts";

test.each([
  ["5000", 5_000],
  ["5,000", 5_000],
  ["₦5,000.50", 5_000.5],
  [" 43 000 ", 43_000],
])("%s is read", (typed, amount) => {
  expect(readAmount(typed, 43_000)).toBe(amount);
});

test.each(["", "0", "-5", "5e3", "12.345", "1/2", "five", "43000.01", "430,5", "4,30", "4,3000"])(
  "%s is refused with a sentence",
  (typed) => {
    expect(readAmount(typed, 43_000)).toEqual({ complaint: expect.stringMatching(/\.$/) });
  },
);

test.each([
  ["before the due date", { due: 0, settlement: 43_000, next: 21_500 }, ["next", "all", "other"]],
  ["with something due", { due: 21_715, settlement: 43_215, next: 21_715 }, ["due", "all", "other"]],
  ["when the last one is due", { due: 21_500, settlement: 21_500, next: 21_500 }, ["due", "other"]],
  ["when one is left", { due: 0, settlement: 21_500, next: 21_500 }, ["all", "other"]],
])("the choices %s", (_name, { due, settlement, next }, names) => {
  const view = { due, settlement, next: { number: 1, amount: next, dueDate: "2026-12-02", isLate: false } };
  expect(choicesOf(view as PlanView).map(({ name }) => name)).toEqual(names);
});

test("every press has a name of its own", () => {
  const presses = Array.from({ length: 100 }, newPress);
  expect(new Set(presses).size).toBe(100);
  for (const press of presses)
    expect(press).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
