/**
 * Nigerian mobile numbers. People write them as 0803…, 234803… and +234803…; they are stored as E.164. The prefix tells
 * which network gave a number out, not which one serves it today.
 */
import { parsePhoneNumberFromString } from "libphonenumber-js/mobile";

/** Blanks, dots and dashes are how people write; letters and other countries are not. */
const written = /^(?:\+?234|0)[0-9 .()-]{6,20}$/;

/** The number in E.164, or undefined for what is not a Nigerian mobile number. */
export function parseMobileNumber(text: string): string | undefined {
  if (!written.test(text)) return undefined;
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: "NG", extract: false });
  return parsed?.country === "NG" && parsed.isValid() ? parsed.number : undefined;
}

/** The first four digits as they are dialled in the country, such as 0803. */
export function mobilePrefix(e164: string): string {
  return `0${e164.slice(4, 7)}`;
}

/** 0803****678 for +2348031234678. */
export function maskPhone(e164: string): string {
  const local = `0${e164.slice(4)}`;
  return `${local.slice(0, 4)}****${local.slice(-3)}`;
}
