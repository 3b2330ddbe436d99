/** What a merchant's server does before its customer sees anything. */
import type { Data, Product, Sandbox } from "./product.ts";

/** A square in one colour, as a merchant's logo. */
export const logo =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export interface OpenCheckout {
  readonly id: string;
  readonly customerId: string;
  /** Where the merchant sends the customer. */
  readonly url: string;
}

/** A loan that a merchant asks for. */
export const loanOrder = {
  first_name: "Ada",
  last_name: "Obi",
  phone: "+2348031234567",
  email: "ada@example.com",
  nin: "12345678901",
  bvn: "22123456789",
  amount: "50000",
  tenure: "3",
  tenure_type: "monthly",
  bank_code: "058",
  account_number: "0123456789",
  longitude: "3.3792",
  latitude: "6.5244",
} as const;

let people = 0;

/** Somebody nobody has met: the sandbox knows a person by the BVN. */
export function newPerson(changes: Data = {}): Data {
  people += 1;
  const number = String(people).padStart(4, "0");
  return {
    first_name: "Ngozi",
    last_name: "Adeyemi",
    email: `ngozi-${number}@example.com`,
    phone: `0803555${number}`,
    bvn: `2214567${number}`,
    date_of_birth: "1994-03-12",
    ...changes,
  };
}

/** Whom the sandbox's identity provider does not know. */
export const unknownPerson = () => newPerson({ bvn: "22145670000" });

/** `buyer` is a person's data or the id of a customer. */
export async function openCheckout(
  { merchantSite }: Product,
  sandbox: Sandbox,
  buyer: Data | string = newPerson(),
  changes: Data = {},
): Promise<OpenCheckout> {
  people += 1;
  const session = await sandbox.call("POST", "/loans/bnpl/checkout-sessions", {
    ...(typeof buyer === "string" ? { customer_id: buyer } : { customer: buyer }),
    amount: 60_000,
    bank_account_no: "0123456789",
    bank_code: "058",
    order_reference: `order-${people}`,
    success_url: `${merchantSite.url}/thanks`,
    cancel_url: `${merchantSite.url}/basket`,
    ...changes,
  });
  return { id: String(session["id"]), customerId: String(session["customer_id"]), url: String(session["url"]) };
}

export async function readSession(sandbox: Sandbox, { id }: OpenCheckout): Promise<Data> {
  return sandbox.call("GET", `/loans/bnpl/checkout-sessions/${id}`);
}

/** Gives the customer a card, as if the card page had been used. */
export async function linkCard(sandbox: Sandbox, customerId: string): Promise<void> {
  const { linkId } = await openCardLink(sandbox, customerId);
  await sandbox.call("POST", `/sandbox/card-links/${linkId}/complete`, { outcome: "linked" });
}

/** A card page that no checkout led to. */
export async function openCardLink(
  sandbox: Sandbox,
  customerId: string,
  callbackUrl?: string,
): Promise<{ linkId: string; url: string }> {
  const body = callbackUrl === undefined ? {} : { callback_url: callbackUrl };
  const link = await sandbox.call("POST", `/loans/bnpl/customers/${customerId}/cards/link`, body);
  return { linkId: String(link["link_id"]), url: String(link["url"]) };
}

/** Far from midnight in Lagos, where the dates of a plan move. */
const aMorning = "2027-01-11T09:00:00.000Z";

/** From the given moment on, time passes only when a test says so. */
export async function freezeClock(sandbox: Sandbox, now = aMorning): Promise<void> {
  await sandbox.call("PUT", "/sandbox/clock", { mode: "frozen", now });
}

export async function passTime(sandbox: Sandbox, seconds: number): Promise<void> {
  await sandbox.call("POST", "/sandbox/clock/advance", { seconds });
}
