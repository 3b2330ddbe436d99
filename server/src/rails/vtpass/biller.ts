/** Bills through VTpass. */
import { type Kobo, nairaString } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { Failure } from "../answer.ts";
import type {
  BillCategory,
  BillerCustomer,
  BillerRail,
  CustomerAnswer,
  CustomerQuestion,
  VendOrder,
} from "../biller.ts";
import type { WireReply } from "../provider-client.ts";
import { nairaOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { classifyRequery, classifyVend } from "./classify.ts";
import type { VtpassClient } from "./client.ts";
import { processed } from "./codes.ts";
import { readReply } from "./reply.ts";
import { serviceIdOf, soldCategories } from "./service-ids.ts";

/** VTpass tells to wait for an order's outcome for some minutes before it is asked for again. */
const settleWindowMs = 5 * 60_000;

const nobody: CustomerAnswer = {
  found: "yes",
  customer: { name: null, address: null, subscription: null, renewalAmount: null },
};

export function createVtpassBiller(client: VtpassClient): BillerRail {
  return {
    name: "vtpass",
    categories: keysOf(soldCategories),
    // A used id is refused. That holds until midnight in Lagos; after it the old id is refused for its date.
    deduplicatesByRequest: true,
    settleWindowMs,
    requestIds: "lagos_minute",
    validate: (question) => validate(client, question),
    vend: async (order) => {
      const { refusal, body } = payBody(order);
      return refusal ?? classifyVend(await client.pay(body), order);
    },
    query: async (question) => classifyRequery(await client.requery(question.requestId), question),
  };
}

async function validate(client: VtpassClient, question: CustomerQuestion): Promise<CustomerAnswer> {
  const { category, provider, customer, meterType } = question;
  // Networks do not tell whose a number is.
  if (category === "airtime" || category === "data") return nobody;
  const serviceID = serviceIdOf(category, provider);
  if (serviceID === undefined) return { found: "unavailable" };
  const type = meterType === null ? {} : { type: meterType };
  return classifyCustomer(await client.verifyCustomer({ serviceID, billersCode: customer, ...type }), category);
}

type PayBody = Readonly<Record<string, string | number>>;
type Sendable =
  | { readonly body: PayBody; readonly refusal?: undefined }
  | { readonly body?: undefined; readonly refusal: Failure };

/** The order in VTpass's words, or why it is not even sent. */
function payBody(order: VendOrder): Sendable {
  const serviceID = serviceIdOf(order.category, order.provider);
  if (serviceID === undefined) {
    return notSent("not_sold", `The biller does not sell ${order.category} of ${order.provider}.`);
  }
  const amount = wholeNaira(order.amount);
  if (amount === undefined) {
    const naira = nairaString(order.amount);
    return notSent(
      "amount_not_whole_naira",
      `The biller takes whole naira, and ${naira} has kobo. Order without kobo.`,
    );
  }
  const isPhone = order.category === "airtime" || order.category === "data";
  const phone = order.phoneNumber ?? (isPhone ? order.customer : null);
  if (phone === null) return notSent("phone_number_missing", "The biller needs the customer's phone number.");
  const common = { request_id: order.requestId, serviceID, amount, phone: dialled(phone) };
  return { body: { ...common, ...productOf(order) } };
}

function productOf(order: VendOrder): PayBody {
  const { customer, productCode } = order;
  switch (order.category) {
    case "airtime":
      return { phone: dialled(customer) };
    case "data":
      return { billersCode: dialled(customer), variation_code: productCode };
    case "electricity":
      return { billersCode: customer, variation_code: order.meterType ?? "prepaid" };
    default:
      return { billersCode: customer, ...packageOf(order) };
  }
}

/** StarTimes knows no renewal apart from buying again; a renewal elsewhere names no package. */
function packageOf({ provider, productCode, subscriptionType }: VendOrder): PayBody {
  if (provider === "startimes") return { variation_code: productCode };
  if (subscriptionType === "renew") return { subscription_type: "renew" };
  return { variation_code: productCode, subscription_type: "change" };
}

function notSent(code: string, message: string): Sendable {
  return { refusal: { outcome: "failure", code, message } };
}

function wholeNaira(amount: Kobo): number | undefined {
  return amount % 100n === 0n ? Number(amount / 100n) : undefined;
}

/** 0803… for +234803…. */
function dialled(number: string): string {
  return number.replace(/^\+?234/, "0");
}

/** What a reply to `merchant-verify` means. It says 000 for a wrong number too, with the error inside. */

/** Wrong arguments, no such product: this customer cannot be found with it. */
const notFoundCodes: ReadonlySet<string> = new Set(["011", "012"]);

/** Words of a provider that is down rather than of a number that is wrong. */
const outage = /unavailable|not available|unreachable|not reachable|time(d)?[ -]?out|try again later|temporar/i;

export function classifyCustomer(reply: WireReply, category: BillCategory): CustomerAnswer {
  const read = readReply(reply);
  if (read.kind === "nothing") {
    return { found: "unavailable", ...(read.hold === undefined ? {} : { hold: read.hold }) };
  }
  if (notFoundCodes.has(read.code)) return { found: "no" };
  if (read.code !== processed) return { found: "unavailable" };
  const content = recordAt(read.body, "content");
  const error = textOf(content["error"]) ?? textOf(content["errors"]);
  if (error !== undefined && outage.test(error)) return { found: "unavailable" };
  if (error !== undefined || content["WrongBillersCode"] === true) return { found: "no" };
  const name = told(content["Customer_Name"]);
  if (name === undefined) return { found: "unavailable" };
  const address = told(content["Address"]) ?? null;
  const card =
    category === "tv"
      ? { subscription: running(content), renewalAmount: renewal(content) }
      : { subscription: null, renewalAmount: null };
  return { found: "yes", customer: { name, address, ...card } };
}

/** A text that says something. */
function told(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  return text === undefined || /^(n\/?a|null|nil|-+)$/i.test(text) ? undefined : text;
}

function renewal({ Renewal_Amount: told }: WireRecord): Kobo | null {
  const amount = nairaOf(told);
  return amount === undefined || amount === 0n ? null : amount;
}

/** The one package that runs. Several at once ("dstv79, extraview-access") cannot be renewed as one of ours. */
function running(content: WireRecord): BillerCustomer["subscription"] {
  const packageCode = told(content["Current_Bouquet_Code"])?.toLowerCase();
  const due = told(content["Due_Date"]) ?? told(content["DUE_DATE"]);
  const dueDate = /^\d{4}-\d{2}-\d{2}/.exec(due ?? "")?.[0];
  if (packageCode === undefined || dueDate === undefined || !/^[a-z0-9][a-z0-9._-]*$/.test(packageCode)) return null;
  return { packageCode, dueDate };
}
