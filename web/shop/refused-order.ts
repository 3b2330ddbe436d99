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

/** What the API found wrong, as sentences beside the fields. Its words complete the field's name: "must be …". */
export function complaintsOf({ refusal }: ApiProblem): Complaints {
  const found = refusal.errors.flatMap(({ field, message }) => {
    const key = field.replace(/^customer\./, "");
    if (!isField(key)) return [];
    const words = /^[a-z]/.test(message) ? `${fieldNames[key]} ${message}` : message;
    return [[key, /[.!?]$/.test(words) ? words : `${words}.`] as const];
  });
  return Object.fromEntries(found);
}

function isField(name: string): name is keyof Shopper {
  return Object.hasOwn(fieldNames, name);
}
