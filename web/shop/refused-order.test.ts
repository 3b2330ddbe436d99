/** What the API found wrong with an order, in the shop's own words. */
import { expect, test } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import { complaintsOf, fieldNames } from "./refused-order.ts";

const refused = (...fields: readonly string[]) =>
  new ApiProblem({
    status: 422,
    code: "validation_failed",
    message: "The request is not valid.",
    errors: fields.map((field) => ({ field, message: "must match pattern ^[0-9]{11}$" })),
    data: {},
  } as unknown as ConstructorParameters<typeof ApiProblem>[0]);

test.each(Object.keys(fieldNames))("the field %s has a sentence for people, and nothing of the API's", (field) => {
  const complaints = complaintsOf(refused(`customer.${field}`));
  expect(Object.keys(complaints)).toEqual([field]);
  for (const sentence of Object.values(complaints)) {
    expect(sentence).toMatch(/^[A-Z].+\.$/);
    expect(sentence).not.toContain("pattern");
  }
});

test("several mistakes stand beside their fields, each once", () => {
  const complaints = complaintsOf(refused("customer.bvn", "customer.email", "customer.bvn"));
  expect(Object.keys(complaints).toSorted()).toEqual(["bvn", "email"]);
});

test.each(["productId", "customer", "customer.address", "customer.constructor", "toString", "__proto__", ""])(
  "%j is no field of the form: nothing is said beside one",
  (field) => {
    expect(complaintsOf(refused(field))).toEqual({});
  },
);

test("an order that was refused for another reason blames no field", () => {
  expect(complaintsOf(refused())).toEqual({});
});
