import type { ApiProblem } from "../shared/call-api.ts";
import type { Shopper } from "./shop-api.ts";

export type Complaints = Partial<Readonly<Record<keyof Shopper, string>>>;

export const fieldNames: Readonly<Record<keyof Shopper, string>> = {
  firstName: "First name",
  lastName: "Last name",
  email: "E-mail",
  phone: "Phone number",
  bvn: "BVN",
};

/** The API's own sentences are for developers. */
const complaintTexts: Readonly<Record<keyof Shopper, string>> = {
  firstName: "Type the first name.",
  lastName: "Type the last name.",
  email: "Type an e-mail address, such as ada@example.com.",
  phone: "Type a Nigerian phone number, such as 0803 123 4678.",
  bvn: "The BVN has 11 digits.",
};

/** What was wrong with the order, beside the fields. */
export function complaintsOf({ refusal }: ApiProblem): Complaints {
  const fields = refusal.errors.map(({ field }) => field.replace(/^customer\./, "")).filter(isField);
  return Object.fromEntries(fields.map((field) => [field, complaintTexts[field]]));
}

function isField(name: string): name is keyof Shopper {
  return Object.hasOwn(fieldNames, name);
}
