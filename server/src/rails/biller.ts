/**
 * The port to the billers. An adapter (an aggregator, a provider's own interface, the sandbox's simulation) implements
 * it; nobody else knows which one is behind it. Every call has a time-out and no call is made inside a database
 * transaction.
 *
 * An answer about a vend is one of three: it was definitely delivered, it definitely was not and never will be, or
 * nobody knows yet. Unknown is not failed: it is asked again under the same request id for as long as it takes. An
 * adapter that gets an HTTP error after the order may have left answers unknown.
 */
import type { Kobo } from "../money/kobo.ts";
import type { Failure, Hold, NoRecord, RailTrace, TakenBack, Unknown } from "./answer.ts";

export const billCategories = ["airtime", "data", "electricity", "tv", "betting"] as const;
export type BillCategory = (typeof billCategories)[number];

export const meterTypes = ["prepaid", "postpaid"] as const;
export type MeterType = (typeof meterTypes)[number];

/** What the customer gets to hold. */
export interface Delivery {
  /** 20 bare digits, for prepaid electricity. */
  readonly token: string | null;
  /** Kilowatt hours with two decimals, for prepaid electricity. */
  readonly units: string | null;
  readonly receiptNumber: string | null;
}

export type VendAnswer =
  | { readonly outcome: "success"; readonly delivery: Delivery; readonly trace?: RailTrace }
  | Failure
  | Unknown;

export type VendQueryAnswer = VendAnswer | TakenBack | NoRecord;

export interface CustomerQuestion {
  readonly environmentId: string;
  readonly category: BillCategory;
  /** The network, company or bookmaker, by its code in the catalogue. */
  readonly provider: string;
  /** Phone number, meter, smart card or account with the bookmaker. */
  readonly customer: string;
  readonly meterType: MeterType | null;
}

export interface BillerCustomer {
  /** Null where the provider does not tell, as networks do not. */
  readonly name: string | null;
  /** Where the meter hangs. */
  readonly address: string | null;
  /** The package that runs on the smart card, by its code, and the Lagos date on which it ends. */
  readonly subscription: { readonly packageCode: string; readonly dueDate: string } | null;
  /** What a renewal costs by the provider's word, whatever runs on the card; null where it does not tell. */
  readonly renewalAmount: Kobo | null;
}

export type CustomerAnswer =
  | { readonly found: "yes"; readonly customer: BillerCustomer }
  | { readonly found: "no" }
  | { readonly found: "unavailable"; readonly hold?: Hold };

export interface VendOrder extends CustomerQuestion {
  /** Ours, committed before the call; the biller knows the vend by it, and so do we after a crash. */
  readonly requestId: string;
  readonly productCode: string;
  readonly subscriptionType: "change" | "renew" | null;
  readonly amount: Kobo;
  /** Whom to tell. */
  readonly phoneNumber: string | null;
  /** The merchant's reference, which the sandbox's inputs look at. */
  readonly reference: string;
}

/**
 * `uuid`: the id of the bill. `lagos_minute`: the minute in Lagos as 12 digits, then the id of the bill in 32
 * hexadecimal digits, for billers who know an id only on the day that it begins with.
 */
export type RequestIdStyle = "uuid" | "lagos_minute";

/** What was ordered stands in the question, because a reply about anything else settles nothing. */
export type VendQuestion = Pick<VendOrder, "environmentId" | "requestId" | "category" | "meterType" | "amount">;

export interface BillerRail {
  readonly name: string;
  /** What it sells. An order of another category is not brought to it. */
  readonly categories: readonly BillCategory[];
  /**
   * Whether a second order under the same request id is recognised as the same vend. If so, a vend that the biller has
   * no record of may be ordered again once it is older than the settle window; if not, an operator decides.
   */
  readonly deduplicatesByRequest: boolean;
  readonly settleWindowMs: number;
  /** How the biller wants our request ids. They are made and committed when an order is taken up. */
  readonly requestIds: RequestIdStyle;
  validate(question: CustomerQuestion): Promise<CustomerAnswer>;
  vend(order: VendOrder): Promise<VendAnswer>;
  query(question: VendQuestion): Promise<VendQueryAnswer>;
}
