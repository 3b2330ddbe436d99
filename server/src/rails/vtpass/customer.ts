/** What a reply to `merchant-verify` means. It says 000 for a wrong number too, with the error inside. */
import type { Kobo } from "../../money/kobo.ts";
import type { BillCategory, BillerCustomer, CustomerAnswer } from "../biller.ts";
import type { WireReply } from "../provider-client.ts";
import { nairaOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { processed } from "./codes.ts";
import { readReply } from "./reply.ts";

/** Wrong arguments, no such product: this customer cannot be found with it. */
const notFoundCodes: ReadonlySet<string> = new Set(["011", "012"]);

/** Words of a provider that is down rather than of a number that is wrong. */
const outage = /unavailable|not available|unreachable|not reachable|time(d)?[ -]?out|try again later|temporar/i;

export function classifyCustomer(reply: WireReply, category: BillCategory): CustomerAnswer {
  const read = readReply(reply);
  if (read.kind === "nothing") {
    return { found: "unavailable", ...(read.hold === undefined ? {} : { hold: read.hold }) };
  }
  if (notFoundCodes.has(read.code)) return { found: "no" };
  if (read.code !== processed) return { found: "unavailable" };
  const content = recordAt(read.body, "content");
  const error = textOf(content["error"]) ?? textOf(content["errors"]);
  if (error !== undefined && outage.test(error)) return { found: "unavailable" };
  if (error !== undefined || content["WrongBillersCode"] === true) return { found: "no" };
  const name = told(content["Customer_Name"]);
  if (name === undefined) return { found: "unavailable" };
  const address = told(content["Address"]) ?? null;
  const card =
    category === "tv"
      ? { subscription: running(content), renewalAmount: renewal(content) }
      : { subscription: null, renewalAmount: null };
  return { found: "yes", customer: { name, address, ...card } };
}

/** A text that says something. */
function told(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  return text === undefined || /^(n\/?a|null|nil|-+)$/i.test(text) ? undefined : text;
}

function renewal({ Renewal_Amount: told }: WireRecord): Kobo | null {
  const amount = nairaOf(told);
  return amount === undefined || amount === 0n ? null : amount;
}

/** The one package that runs. Several at once ("dstv79, extraview-access") cannot be renewed as one of ours. */
function running(content: WireRecord): BillerCustomer["subscription"] {
  const packageCode = told(content["Current_Bouquet_Code"])?.toLowerCase();
  const due = told(content["Due_Date"]) ?? told(content["DUE_DATE"]);
  const dueDate = /^\d{4}-\d{2}-\d{2}/.exec(due ?? "")?.[0];
  if (packageCode === undefined || dueDate === undefined || !/^[a-z0-9][a-z0-9._-]*$/.test(packageCode)) return null;
  return { packageCode, dueDate };
}
