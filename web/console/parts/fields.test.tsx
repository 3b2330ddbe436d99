import { expect, test } from "vitest";
import { describedBy, draw, field } from "../../testing/draw.tsx";
import { AreaField, ChoiceField, TextField } from "./fields.tsx";

const kinds = [
  ["a line", TextField],
  ["several lines", AreaField],
  ["a choice", ChoiceField],
] as const;

test.each(kinds)("%s is tied to its label, and its hint is read out with it", async (_, Field) => {
  await draw(
    <Field label="Amount" name="amount" hint="In naira.">
      {undefined}
    </Field>,
  );
  expect(field("Amount").name).toBe("amount");
  expect(describedBy(field("Amount"))).toBe("In naira.");
  expect(field("Amount").getAttribute("aria-invalid")).toBe("false");
});

test.each(kinds)("a mistake of %s stands in place of the hint", async (_, Field) => {
  await draw(
    <Field label="Amount" hint="In naira." mistake="Too much.">
      {undefined}
    </Field>,
  );
  expect(describedBy(field("Amount"))).toBe("Too much.");
  expect(field("Amount").getAttribute("aria-invalid")).toBe("true");
});

test.each(kinds)("%s without a note points at none", async (_, Field) => {
  await draw(<Field label="Amount">{undefined}</Field>);
  expect(field("Amount").hasAttribute("aria-describedby")).toBe(false);
});

test("two fields of one label's words do not share an id", async () => {
  await draw([<TextField key="1" label="From" />, <TextField key="2" label="To" />]);
  expect(field("From").id).not.toBe(field("To").id);
});
