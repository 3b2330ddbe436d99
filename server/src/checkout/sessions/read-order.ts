/**
 * Reads what a merchant orders. The schema has found what has the wrong form; this finds what has the right form and
 * still cannot be: an address that no browser may be sent to.
 */

import type { Static } from "typebox";
import { sum } from "../../money/arithmetic.ts";
import { nairaString } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { readNaira } from "../../platform/http/wire.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { bankCodeRule } from "../../transfers/payout-rules.ts";
import { readPerson } from "../customers/read-person.ts";
import { readReturnAddress } from "../pages/return-address.ts";
import type { Order, OrderItem } from "./checkout-session.ts";
import type { Buyer } from "./create-session.ts";
import type { createSessionBody } from "./schemas.ts";

type Body = Static<typeof createSessionBody>;

/** Throws validation_failed with every bad field. */
export function readOrder(body: Body, kind: EnvironmentKind): { readonly order: Order; readonly buyer: Buyer } {
  const items = readItems(body);
  const errors = [...addressErrors(body, kind), ...itemErrors(body, items)];
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  const buyer = buyerOf(body);
  const order: Order = {
    orderReference: body.order_reference,
    amount: readNaira(body.amount),
    items,
    // Both of a bank's codes mean the same bank; one that nobody has is refused when the bank is to be asked.
    bankCode: findBank(body.bank_code, kind)?.code ?? body.bank_code,
    bankAccountNo: body.bank_account_no,
    successUrl: readAddress(body.success_url, kind),
    cancelUrl: readAddress(body.cancel_url, kind),
  };
  return { order, buyer };
}

function readItems({ items = [] }: Body): OrderItem[] {
  return items.map((line) => ({ ...line, amount: readNaira(line.amount) }));
}

function itemErrors({ amount }: Body, items: readonly OrderItem[]): FieldError[] {
  const total = sum(items.map((item) => item.amount));
  if (items.length === 0 || total === readNaira(amount)) return [];
  return [{ field: "items", message: `add up to ${nairaString(total)}, which is not the amount` }];
}

type Fields = Readonly<Record<string, unknown>>;

/** What can be said against an order whose schema has found something wrong already. */
export function orderRules(fields: Fields, kind: EnvironmentKind): FieldError[] {
  return [...addressErrors(fields, kind), ...bankCodeRule(fields, kind)];
}

function buyerOf({ customer_id: id, customer }: Body): Buyer {
  if (id !== undefined) return { id };
  if (customer === undefined) throw new Error("the schema let an order without a customer pass");
  return { person: readPerson(customer) };
}

function addressErrors(fields: Fields, kind: EnvironmentKind): FieldError[] {
  return ["success_url", "cancel_url"].flatMap((field) => {
    const text = fields[field];
    const verdict = typeof text === "string" ? readReturnAddress(text, kind) : { url: "" };
    return "refusal" in verdict ? [{ field, message: verdict.refusal }] : [];
  });
}

function readAddress(text: string, kind: EnvironmentKind): string {
  const verdict = readReturnAddress(text, kind);
  if ("refusal" in verdict) throw new Error("an address that passed its rules cannot be read");
  return verdict.url;
}
