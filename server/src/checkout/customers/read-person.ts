/** Reads what a merchant says about a customer. The schema finds what has the wrong form, this file the rest. */
import { parseMobileNumber } from "../../platform/phone-number.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { Person } from "./customer.ts";
import type { CustomerBody } from "./schemas.ts";

/** Throws validation_failed; `within` is where the customer stands in a larger body. */
export function readPerson(body: CustomerBody, within: "" | "customer." = ""): Person {
  const phone = parseMobileNumber(body.phone);
  if (phone === undefined) {
    const error = { field: `${within}phone`, message: "is no Nigerian mobile number" };
    throw commonProblem("validation_failed", { errors: [error] });
  }
  return {
    firstName: body.first_name.trim(),
    lastName: body.last_name.trim(),
    email: body.email,
    phone,
    bvn: body.bvn,
    nin: body.nin ?? null,
    dateOfBirth: body.date_of_birth === undefined ? null : Temporal.PlainDate.from(body.date_of_birth),
    address: body.address ?? null,
    externalId: body.external_id ?? null,
  };
}
