/**
 * Makes up a provider's customer from its number, the same every time, for everybody. Only what runs on a smart card
 * changes, by what was delivered to it.
 */

import { createHash } from "node:crypto";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import type { BillerCustomer, CustomerQuestion } from "../../rails/biller.ts";
import { accountHolder } from "../account-holder.ts";

const nobody: BillerCustomer = { name: null, address: null, subscription: null, renewalAmount: null };

const streets = ["Allen Avenue", "Awolowo Road", "Aba Road", "Ahmadu Bello Way", "Ogui Road", "Ring Road"] as const;

/** What runs on a card depends on its number; providers that we know nothing of run nothing. */
const packages: Readonly<Record<string, readonly string[]>> = {
  dstv: ["dstv-padi", "dstv-yanga", "dstv-confam", "dstv-compact", "dstv-compact-plus", "dstv-premium"],
  gotv: ["gotv-smallie", "gotv-jinja", "gotv-jolli", "gotv-max", "gotv-supa", "gotv-supa-plus"],
  startimes: ["startimes-nova", "startimes-basic", "startimes-classic", "startimes-super"],
};

/** A package that was delivered to a smart card and not taken back. */
export interface PackageDelivery {
  readonly packageCode: string;
  readonly renews: boolean;
  /** In the sandbox's time. */
  readonly deliveredAt: Date;
}

/** The customer after these deliveries, oldest first. A renewal adds a month to what is paid, a change starts one. */
export function customerAfter(
  question: CustomerQuestion,
  deliveries: readonly PackageDelivery[],
  now: Date,
): BillerCustomer {
  const before = simulatedCustomer(question, deliveries[0]?.deliveredAt ?? now);
  let { subscription } = before;
  for (const { packageCode, renews, deliveredAt } of deliveries) {
    const today = lagosDate(deliveredAt);
    const paid = renews && subscription !== null ? Temporal.PlainDate.from(subscription.dueDate) : today;
    const from = Temporal.PlainDate.compare(paid, today) > 0 ? paid : today;
    subscription = { packageCode, dueDate: String(from.add({ months: 1 })) };
  }
  return { ...before, subscription };
}

function simulatedCustomer({ category, provider, customer }: CustomerQuestion, now: Date): BillerCustomer {
  // Networks do not tell whose a number is.
  if (category === "airtime" || category === "data") return nobody;
  const name = accountHolder(provider, customer);
  const draw = createHash("sha256").update(`${provider}/${customer}/home`).digest();
  if (category === "electricity") {
    return { ...nobody, name, address: `${1 + (draw.readUInt8(0) % 99)} ${pick(streets, draw.readUInt8(1))}` };
  }
  const offered = packages[provider];
  if (category !== "tv" || offered === undefined) return { ...nobody, name };
  const dueDate = lagosDate(now).add({ days: 1 + (draw.readUInt8(2) % 30) });
  return { ...nobody, name, subscription: { packageCode: pick(offered, draw.readUInt8(3)), dueDate: String(dueDate) } };
}

function pick(list: readonly string[], number: number): string {
  const found = list[number % list.length];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}
