/** What each category asks for, and what it sends. The words are those of the public API. */
import { typedNaira } from "../parts/figures.ts";

export const categories = ["airtime", "data", "electricity", "tv", "betting"] as const;
export type Category = (typeof categories)[number];

export type Form = Readonly<Record<string, string>>;

/** What a provider is asked before it is paid; airtime and data go to a number, whoever has it. */
export function validationOf(category: Category, form: Form): Form | null {
  const { provider = "", meterNumber = "", meterType = "", smartCardNumber = "", customerId = "" } = form;
  if (category === "electricity") return { provider, meterNumber, meterType };
  if (category === "tv") return { provider, smartCardNumber };
  return category === "betting" ? { provider, customerId } : null;
}

export function vendOf(category: Category, form: Form, reference: string): Readonly<Record<string, unknown>> {
  const { network, phoneNumber, planCode, packageCode } = form;
  const amount = typedNaira(form["amount"] ?? "");
  if (category === "airtime") return { network, phoneNumber, amount, reference };
  if (category === "data") return { network, phoneNumber, planCode, reference };
  const asked = { ...validationOf(category, form), reference };
  if (category === "betting") return { ...asked, amount };
  if (category === "electricity") return { ...asked, amount, phoneNumber };
  return { ...asked, packageCode, subscriptionType: "change", phoneNumber };
}
