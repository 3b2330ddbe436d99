/** Reads what a merchant says about a customer. */
import { parseMobileNumber } from "../../platform/phone-number.ts";
import type { Person } from "./customer.ts";
import type { CustomerBody } from "./schemas.ts";

/** The person of a body that has passed its schema. */
export function readPerson(body: CustomerBody): Person {
  const phone = parseMobileNumber(body.phone);
  if (phone === undefined) throw new Error("a phone that passed its schema cannot be read");
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
