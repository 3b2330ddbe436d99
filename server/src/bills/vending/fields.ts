/** The words in which a bill is asked for. */

import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { OneOf } from "../../platform/http/wire.ts";
import { billCategories, meterTypes } from "../../rails/biller.ts";
import { subscriptionTypes } from "./bill.ts";

export const Category = named("BillCategoryCode", OneOf(billCategories));

export const NetworkCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "From GET /bills/networks, in any case.",
  examples: ["MTN"],
});

export const ProviderCode = (list: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 40, description: `From GET ${list}.`, examples: [example] });

export const PhoneNumber = Type.String({
  format: "phone",
  maxLength: 30,
  description: "A Nigerian mobile number: 0803…, 234803… or +234803….",
  examples: ["08031234567"],
});

export const MeterNumber = Type.String({
  pattern: "^([0-9]{11}|[0-9]{13})$",
  description: "11 or 13 digits.",
  examples: ["45012345678"],
});

export const MeterTypeWord = OneOf(meterTypes);

export const SmartCardNumber = Type.String({
  pattern: "^[0-9]{8,14}$",
  description: "The number on the decoder's card; ten digits, StarTimes eleven.",
  examples: ["7023456789"],
});

export const BettingCustomer = Type.String({
  pattern: "^[A-Za-z0-9_.@-]{1,60}$",
  description: "The customer's number or name with the bookmaker.",
  examples: ["1234567"],
});

export const SubscriptionTypeWord = OneOf(subscriptionTypes, {
  description: "change starts a package; renew extends the card's current package, at its price.",
});

/** The bounds of an amount are the provider's and have a code of their own; what is not an amount at all is refused here. */
export const BillAmount = Type.Number({
  format: "naira",
  exclusiveMinimum: 0,
  description: "Naira with at most two decimals, within the provider's minAmount and maxAmount.",
  examples: [1000],
});

export const BillReference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Yours, and used once: the same reference with the same content is the same bill.",
  examples: ["order-1042"],
});

export const ValidationReference = Type.String({
  minLength: 1,
  maxLength: 200,
  "x-id": true,
  description:
    "From the validation of this customer; without it any validation counts that has not ended: after 30 minutes, and a smart card's with a change of its package.",
  examples: ["01932c70-4d5e-7f60-8a1b-2c3d4e5f6071"],
});
