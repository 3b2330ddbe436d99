/** Typing a card: digits fall into groups, the caret stays, and test cards fill the form. */
import { useState } from "react";
import { expect, test } from "vitest";
import { draw, field, press, settle, shown, type } from "../testing/draw.tsx";
import { hostedUntil, openHosted, setting, visitAsCustomer } from "../testing/hosted-page.tsx";
import { refuse } from "../testing/replies.ts";
import { type CardEntry, emptyEntry } from "./card-entry.ts";
import { CardFields } from "./card-fields.tsx";
import type { CardLinkView } from "./card-link-view.ts";
import { CardPage } from "./card-page.tsx";

visitAsCustomer();

function Typing({ first = emptyEntry }: { readonly first?: CardEntry }) {
  const [entry, setEntry] = useState(first);
  return <CardFields entry={entry} complaints={{}} onChange={setEntry} />;
}
const number = () => field("Card number") as HTMLInputElement;

/** As a person does who types in the middle of the text. */
async function typeAt(text: string, caret: number) {
  const input = number();
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await settle(() => {
    setValue?.call(input, text);
    input.setSelectionRange(caret, caret);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

test.each([
  ["4084084084084081", "4084 0840 8408 4081", "Visa"],
  ["5399 8383-8383 8381", "5399 8383 8383 8381", "Mastercard"],
  ["5060666666666666666", "5060 6666 6666 6666 666", "Verve"],
  ["9999", "9999", ""],
])("%s becomes %s, and is known as %s", async (typed, grouped, brand) => {
  await draw(<Typing />);
  await type("Card number", typed);
  expect(number().value).toBe(grouped);
  expect(document.querySelector(".field-mark")?.textContent ?? "").toBe(brand);
});

test("more digits than a card has are not taken", async () => {
  await draw(<Typing />);
  await type("Card number", "4".repeat(30));
  expect(number().value.replaceAll(" ", "")).toHaveLength(19);
});

test("a digit put into the middle leaves the caret behind it, not at the end", async () => {
  await draw(<Typing first={{ ...emptyEntry, number: "4084 0840 8408" }} />);
  await typeAt("40984 0840 8408", 3);
  expect(number().value).toBe("4098 4084 0840 8");
  expect(number().selectionStart).toBe(3);
});

test("a digit put before a gap leaves the caret where the next one goes", async () => {
  await draw(<Typing first={{ ...emptyEntry, number: "408" }} />);
  await typeAt("40840", 5);
  expect(number().value).toBe("4084 0");
  expect(number().selectionStart).toBe(6);
});

test.each([
  ["1229", "12 / 29"],
  ["12/2029", "12 / 29"],
  ["8", "08"],
  ["1/29", "01 / 29"],
  ["12", "12"],
])("the date %s becomes %s", async (typed, grouped) => {
  await draw(<Typing />);
  await type("Expiry date", typed);
  expect(field("Expiry date").value).toBe(grouped);
});

test("a security code has digits only, four at most", async () => {
  await draw(<Typing />);
  await type("Security code", "40a8 12");
  expect(field("Security code").value).toBe("4081");
});

test("browsers are told what each field is, so that they can fill it in", async () => {
  await draw(<Typing />);
  const names = ["Card number", "Expiry date", "Security code"].map((label) =>
    field(label).getAttribute("autocomplete"),
  );
  expect(names).toEqual(["cc-number", "cc-exp", "cc-csc"]);
});

const view: CardLinkView = {
  ...setting,
  environment: "SANDBOX",
  linkId: "l-1",
  status: "pending",
  tokenizePath: "/hosted/card-vault/tokens",
  expiresAt: hostedUntil,
  card: null,
  reason: null,
  returnUrl: null,
};

test("a test card fills the form with one that is not over by the sandbox's own clock", async () => {
  const far = { ...view, now: "2031-05-05T09:30:00.000Z" };
  const { sent } = await openHosted(<CardPage token="t" />, "/hosted/card-link", far, {
    "POST /hosted/card-vault/tokens": () => ({ token: "v" }),
  });
  await press("4084 0840 8408 4081Saved");
  expect(field("Expiry date").value).toBe("12 / 34");
  await press("Save this card");
  expect(sent()[0]?.body).toMatchObject({ number: "4084084084084081", expMonth: 12, expYear: 2034 });
});

test("a test card takes away what was wrong with the form before", async () => {
  await openHosted(<CardPage token="t" />, "/hosted/card-link", view, {
    "POST /hosted/card-vault/tokens": () =>
      refuse(422, "validation_failed", { errors: [{ field: "cvv", message: "is wrong" }] }),
  });
  await press("Save this card");
  expect(shown()).toContain("Some things are not right yet");
  await press("4084 0840 8408 4081Saved");
  expect(shown()).not.toContain("not right yet");
  expect(field("Card number").getAttribute("aria-invalid")).toBe("false");
});

test("a page without a way back offers none", async () => {
  await openHosted(<CardPage token="t" />, "/hosted/card-link", view);
  expect(shown()).not.toContain("Go back without adding a card");
  await openHosted(<CardPage token="t" />, "/hosted/card-link", { ...view, returnUrl: "https://balogun.example" });
  expect(shown()).toContain("Go back without adding a card");
});

test.each([
  ["SANDBOX", true],
  ["LIVE", false],
] as const)("in %s it is said that no money is real: %s", async (environment, said) => {
  await openHosted(<CardPage token="t" />, "/hosted/card-link", { ...view, environment });
  expect(shown().includes("Test mode: no real money")).toBe(said);
});
