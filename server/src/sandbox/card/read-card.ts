/**
 * The vault's door. What the card page sends is judged here and turned into what may be kept; the number and the
 * security code go no further. A refusal names the field and never repeats what stood in it.
 */

import { passesLuhn } from "../../platform/luhn.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import { startOfLagosDay } from "../../platform/time/lagos-date.ts";
import type { CardBrand } from "../../rails/card.ts";
import { behaviourOf, brandOf, type CardBehaviour, fingerprintOf, issuerOf } from "./card-number.ts";

/** A card as the simulated network knows it. */
export interface KnownCard {
  readonly brand: CardBrand;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly bank: string;
  readonly behaviour: CardBehaviour;
  /** The same for one number; null for the test cards, which everybody in a sandbox has. */
  readonly fingerprint: string | null;
}

/** Takes what a stranger sent. Throws `validation_failed` with every bad field. */
export function readCard(body: unknown, now: Date): KnownCard {
  const fields = typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const number = digitsOf(fields["number"]);
  const { expMonth, expYear } = fields;
  const brand = brandOf(number);
  const errors = [
    ...complain("number", numberFault(fields["number"], number, brand)),
    ...expiryFaults(expMonth, expYear, now),
    ...complain("cvv", codeFault(fields["cvv"])),
  ];
  if (errors.length > 0 || brand === undefined || typeof expMonth !== "number" || typeof expYear !== "number") {
    throw commonProblem("validation_failed", { errors });
  }
  const told = {
    bank: issuerOf(number),
    behaviour: behaviourOf(number, fields["cvv"]),
    fingerprint: fingerprintOf(number),
  };
  return { brand, last4: number.slice(-4), expMonth, expYear, ...told };
}

/** A card is good to the end of its month, by the calendar of Lagos. */
export function isExpired({ expMonth, expYear }: Pick<KnownCard, "expMonth" | "expYear">, now: Date): boolean {
  return now >= startOfLagosDay(new Temporal.PlainDate(expYear, expMonth, 1).add({ months: 1 }));
}

function complain(field: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }];
}

/** People type blanks and dashes where the card has gaps. */
const written = /^\d(?:[ -]?\d){12,18}$/;

function digitsOf(value: unknown): string {
  return typeof value === "string" && written.test(value) ? value.replaceAll(/\D/g, "") : "";
}

function numberFault(value: unknown, digits: string, brand: CardBrand | undefined): string | undefined {
  if (value === undefined) return "is required";
  if (typeof value !== "string") return "must be a string";
  if (digits === "") return "must have 13 to 19 digits";
  if (!passesLuhn(digits)) return "is not a card number: check the digits";
  return brand === undefined ? "must be of a Visa, Mastercard or Verve card" : undefined;
}

function expiryFaults(month: unknown, year: unknown, now: Date): FieldError[] {
  const faults = [
    ...complain("expMonth", wholeNumberFault(month, 1, 12)),
    ...complain("expYear", wholeNumberFault(year, 2000, 2099)),
  ];
  if (faults.length > 0) return faults;
  const expired = isExpired({ expMonth: Number(month), expYear: Number(year) }, now);
  return complain("expYear", expired ? "the card has expired" : undefined);
}

function wholeNumberFault(value: unknown, least: number, most: number): string | undefined {
  if (value === undefined) return "is required";
  if (typeof value !== "number" || !Number.isInteger(value)) return "must be a whole number";
  return value < least || value > most ? `must be from ${least} to ${most}` : undefined;
}

function codeFault(value: unknown): string | undefined {
  if (value === undefined) return "is required";
  if (typeof value !== "string") return "must be a string";
  return /^\d{3}$/.test(value) ? undefined : "must be the three digits on the back of the card";
}
