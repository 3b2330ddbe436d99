/**
 * New contact data of a customer who is known already. Nobody is believed who only knows the BVN: a change waits until
 * a code that was sent to the phone on record is answered, or until an operator decides, with a reason.
 *
 *   pending ──▶ confirmed    the code was right
 *      ├──────▶ approved, rejected    by an operator
 *      └──────▶ replaced    by a later change
 *
 * What nobody decided in a week is expired, which follows from the clock and is not a status. The code lives as long as
 * any other, and another can be sent while the change waits.
 *
 * When a phone has changed, codes that were sent to the old one are void, loans that were consented to from there and
 * still wait for a card are cancelled, and cards that were linked there back no new loan. They go on paying for the
 * loans that are out: the debt and the customer's promise are the same.
 */
import type { Customer, Person } from "./customer.ts";

export const changeTransitions = {
  pending: ["confirmed", "approved", "rejected", "replaced"],
  confirmed: [],
  approved: [],
  rejected: [],
  replaced: [],
} as const satisfies Record<string, readonly string[]>;

export type ChangeStatus = keyof typeof changeTransitions;

export const contactFields = ["phone", "email", "address"] as const;
export type ContactField = (typeof contactFields)[number];

export const changeLifeMs = 7 * 24 * 60 * 60_000;

/** Null where nothing is to change. */
export type ContactData = { readonly [field in ContactField]: string | null };

export interface ContactChange extends ContactData {
  readonly id: string;
  readonly customerId: string;
  readonly status: ChangeStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As a person sees it. */
export function shownChangeStatus({ status, expiresAt }: ContactChange, now: Date): ChangeStatus | "expired" {
  return status === "pending" && expiresAt <= now ? "expired" : status;
}

export function fieldsOf(data: ContactData): ContactField[] {
  return contactFields.filter((field) => data[field] !== null);
}

/** What somebody says otherwise than it is known. An address of e-mail is the same in capitals. */
export function contactDifferences(known: Customer, said: Person): ContactData {
  return {
    phone: said.phone === known.phone ? null : said.phone,
    email: said.email.toLowerCase() === known.email.toLowerCase() ? null : said.email,
    address: said.address === known.address ? null : said.address,
  };
}
