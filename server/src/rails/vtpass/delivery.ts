/** What the customer gets to hold, out of the many shapes in which the electricity companies send it. */
import type { Delivery, VendQuestion } from "../biller.ts";
import { recordAt, textOf, type WireRecord } from "../wire-json.ts";

const tokenNames = ["mainToken", "token", "Token", "purchased_code"] as const;
const unitNames = ["mainTokenUnits", "units", "Units", "PurchasedUnits"] as const;

/** Undefined while a prepaid meter's token is missing: without it the customer has nothing. */
export function deliveryIn(body: WireRecord, { category, meterType }: VendQuestion): Delivery | undefined {
  const receiptNumber =
    textOf(body["exchangeReference"]) ?? textOf(recordAt(body, "content", "transactions")["transactionId"]) ?? null;
  if (category !== "electricity" || meterType !== "prepaid") return { token: null, units: null, receiptNumber };
  const token = firstIn(body, tokenNames, readToken);
  return token === undefined ? undefined : { token, units: firstIn(body, unitNames, readUnits) ?? null, receiptNumber };
}

function firstIn<T>(body: WireRecord, names: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const place of [body, recordAt(body, "content"), recordAt(body, "content", "transactions")]) {
    for (const name of names) {
      const text = textOf(place[name]);
      const found = text === undefined ? undefined : read(text);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Bare, in groups of four, or after "Token :"; anything but 20 digits is not a token. */
function readToken(text: string): string | undefined {
  const digits = text.replace(/^\s*token\s*:?/i, "").replaceAll(/[\s-]/g, "");
  return /^\d{20}$/.test(digits) ? digits : undefined;
}

/** Kilowatt hours to two decimals; what is less than a hundredth is cut off. */
function readUnits(text: string): string | undefined {
  const parts = /^(\d{1,10})(?:\.(\d+))?\s*(?:kwh)?$/i.exec(text.trim().replaceAll(",", ""));
  if (parts === null) return undefined;
  const [, whole = "", fraction = ""] = parts;
  return `${BigInt(whole)}.${fraction.slice(0, 2).padEnd(2, "0")}`;
}
