import { expect, test } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import { complaintsOf } from "./refused-order.ts";
import { newShopper, refusedShopper } from "./shoppers.ts";

test.each([0, 0.25, 0.5, 0.999])("a new shopper has a BVN and a phone that pass (random %d)", (value) => {
  const shopper = newShopper(() => value);
  expect(shopper.bvn).toMatch(/^22[23]\d{8}$/);
  expect(shopper.bvn).not.toMatch(/0000$/);
  expect(shopper.phone).toMatch(/^0803\d{7}$/);
  expect(shopper.email).toMatch(/^[a-z]+\.[a-z]+@example\.com$/);
  expect(refusedShopper(() => value).bvn).toMatch(/^\d{7}0000$/);
});

test("refused fields get words beside them, and what is no field of the form gets none", () => {
  const errors = ["customer.bvn", "phone", "amount"].map((field) => ({ field, message: "is wrong" }));
  const refusal = { status: 422, code: "validation_failed", message: "", errors, data: {}, waitSeconds: null };
  expect(Object.keys(complaintsOf(new ApiProblem(refusal)))).toEqual(["bvn", "phone"]);
});
