/** What a merchant asks for when it vends, in the words of the categories and in one form for all of them. */
import type { Kobo } from "../../money/kobo.ts";
import { parseMobileNumber } from "../../platform/phone-number.ts";
import type { BillCategory, MeterType } from "../../rails/biller.ts";
import { providerCode } from "../catalogue/catalogue.ts";
import type { Bill, SubscriptionType } from "./bill.ts";

/** One form for all categories; null where a category does not have the word. */
export interface VendRequest {
  readonly reference: string;
  /** Null for the main wallet. */
  readonly sourceAccountId: string | null;
  readonly category: BillCategory;
  readonly provider: string;
  /** A plan or package. */
  readonly productCode: string | null;
  readonly customer: string;
  readonly phoneNumber: string | null;
  readonly meterType: MeterType | null;
  readonly subscriptionType: SubscriptionType | null;
  /** Null where the catalogue has the price. */
  readonly amount: Kobo | null;
  readonly validationReference: string | null;
}

/** The words of the wire, by category. */
const wireNames = {
  airtime: { provider: "network", customer: "phoneNumber", productCode: "planCode" },
  data: { provider: "network", customer: "phoneNumber", productCode: "planCode" },
  electricity: { provider: "provider", customer: "meterNumber", productCode: "planCode" },
  tv: { provider: "provider", customer: "smartCardNumber", productCode: "packageCode" },
  betting: { provider: "provider", customer: "customerId", productCode: "packageCode" },
} as const satisfies Record<BillCategory, Record<"provider" | "customer" | "productCode", string>>;

const absent = {
  sourceAccountId: null,
  productCode: null,
  phoneNumber: null,
  meterType: null,
  subscriptionType: null,
  amount: null,
  validationReference: null,
} as const;

type Asked = Pick<VendRequest, "reference" | "category" | "provider" | "customer"> & Partial<VendRequest>;

export function vendRequest(asked: Asked): VendRequest {
  const provider = providerCode(asked.category, asked.provider);
  return { ...absent, ...asked, provider, productCode: asked.productCode?.toLowerCase() ?? null };
}

/** The E.164 form of a number that has passed its schema. */
export function readPhoneNumber(text: string): string {
  const number = parseMobileNumber(text);
  if (number === undefined) throw new Error("a number that passed its schema cannot be read");
  return number;
}

/** What a second request under the same reference asks differently, in the words of the wire. */
export function differingFields(earlier: Bill, request: VendRequest, sourceAccountId: string): string[] {
  const names = wireNames[request.category];
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["category", earlier.category, request.category],
    ["sourceAccountId", earlier.sourceAccountId, sourceAccountId],
    [names.provider, earlier.provider, request.provider],
    [names.customer, earlier.customer.identifier, request.customer],
    [names.productCode, earlier.product.code, request.productCode ?? earlier.product.code],
    ["phoneNumber", earlier.phoneNumber, request.phoneNumber],
    ["meterType", earlier.meterType, request.meterType],
    ["subscriptionType", earlier.subscriptionType, request.subscriptionType],
    // Where the catalogue has the price, the request does not name it.
    ["amount", earlier.amount, request.amount ?? earlier.amount],
  ];
  const differing = pairs.filter(([, left, right]) => left !== right).map(([field]) => field);
  return [...new Set(differing)];
}
