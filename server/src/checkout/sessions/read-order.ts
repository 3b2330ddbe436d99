/**
 * Reads what a merchant orders. The schema has found what has the wrong form; this finds what has the right form and
 * still cannot be: an address that no browser may be sent to, both or neither of a customer and a customer's id.
 */
import type { Static } from "typebox";
import { readNaira } from "../../platform/http/wire.ts";
import { commonProblem, type FieldError, Problem } from "../../platform/problem.ts";
import { findBank } from "../../rails/bank-directory.ts";
import type { EnvironmentKind } from "../../rails/registry.ts";
import type { Person } from "../customers/customer.ts";
import { readPerson } from "../customers/read-person.ts";
import { readReturnAddress } from "../return-address.ts";
import type { Order } from "./checkout-session.ts";
import type { Buyer } from "./create-session.ts";
import type { createSessionBody } from "./schemas.ts";

type Body = Static<typeof createSessionBody>;

/** Throws validation_failed with every bad field. */
export function readOrder(body: Body, kind: EnvironmentKind): { readonly order: Order; readonly buyer: Buyer } {
  const buyer = readBuyer(body);
  const successUrl = readAddress(body, "success_url", kind);
  const cancelUrl = readAddress(body, "cancel_url", kind);
  const errors = [buyer, successUrl, cancelUrl].flatMap((read) => ("errors" in read ? read.errors : []));
  if ("errors" in buyer || "errors" in successUrl || "errors" in cancelUrl) {
    throw commonProblem("validation_failed", { errors });
  }
  const order: Order = {
    orderReference: body.order_reference,
    amount: readNaira(body.amount),
    // Both of a bank's codes mean the same bank; one that nobody has is refused when the bank is to be asked.
    bankCode: findBank(body.bank_code, kind)?.code ?? body.bank_code,
    bankAccountNo: body.bank_account_no,
    successUrl: successUrl.value,
    cancelUrl: cancelUrl.value,
  };
  return { order, buyer: buyer.value };
}

type Read<T> = { readonly value: T } | { readonly errors: readonly FieldError[] };

function readBuyer({ customer_id: id, customer }: Body): Read<Buyer> {
  if (id !== undefined && customer === undefined) return { value: { id } };
  if (customer === undefined) return { errors: [{ field: "customer", message: "or customer_id is required" }] };
  if (id !== undefined) return { errors: [{ field: "customer", message: "cannot be sent together with customer_id" }] };
  const person = gathered(() => readPerson(customer, "customer."));
  return "errors" in person ? person : { value: { person: person.value } };
}

function gathered(read: () => Person): Read<Person> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof Problem && error.code === "validation_failed") return { errors: error.errors };
    throw error;
  }
}

function readAddress(body: Body, field: "success_url" | "cancel_url", kind: EnvironmentKind): Read<string> {
  const verdict = readReturnAddress(body[field], kind);
  return "url" in verdict ? { value: verdict.url } : { errors: [{ field, message: verdict.refusal }] };
}
