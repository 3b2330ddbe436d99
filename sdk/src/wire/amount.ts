/**
 * Money is naira: a number with at most two decimals, or a decimal string. Nothing is rounded here. A string that
 * cannot be sent as exactly the number it says is refused before anything is sent. A number with more decimals is sent
 * as it is, and the server refuses it by name.
 */
import { JaraInputError } from "../errors.ts";
import { freeForm, isRecord } from "./casing.ts";

/** 13 digits and two decimals are 15 digits, and every number of 15 digits comes through a JavaScript number whole. */
const naira = /^[0-9]{1,13}(\.[0-9]{1,2})?$/;

/** How a request writes its amounts: `POST /loans/create` alone takes text. */
export type AmountForm = "number" | "text";

/** The body with every `amount` in the form that the request wants. */
export function writeAmounts(body: unknown, form: AmountForm): unknown {
  if (Array.isArray(body)) return body.map((item) => writeAmounts(item, form));
  if (!isRecord(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === "amount" ? writeAmount(value, form) : freeForm.has(name) ? value : writeAmounts(value, form),
    ]),
  );
}

function writeAmount(value: unknown, form: AmountForm): unknown {
  if (typeof value === "number") {
    // JSON would say null.
    if (!Number.isFinite(value)) throw notNaira(value);
    return form === "text" ? String(value) : value;
  }
  if (typeof value !== "string" || form === "text") return value;
  if (!naira.test(value)) throw notNaira(value);
  return Number(value);
}

function notNaira(value: number | string): JaraInputError {
  return new JaraInputError(
    `amount is ${JSON.stringify(String(value))}, which is not an amount in naira. Send digits with at most two decimals, such as 2500.5 or "2500.50".`,
  );
}
