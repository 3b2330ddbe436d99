/** What VTpass sells, out of its lists of services and variations, as our lists of plans and packages want it. */
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { AmountBounds, Product, ProductList } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { isRecord, nairaOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import type { VtpassClient } from "./client.ts";
import { processed } from "./codes.ts";
import { servicesOf, soldCategories } from "./service-ids.ts";

interface Limits {
  readonly minAmount: Kobo | undefined;
  readonly maxAmount: Kobo | undefined;
}

/** The services of a category with the bounds of their amounts, by id. Null for a reply that is not such a list. */
export function readServices(reply: WireReply): ReadonlyMap<string, Limits> | null {
  const content = contentOf(reply);
  if (content === null) return null;
  const listed = Array.isArray(content) ? content : isRecord(content) ? Object.values(content) : [];
  const services = new Map<string, Limits>();
  for (const service of listed.filter(isRecord)) {
    const id = textOf(service["serviceID"]);
    // The first is how VTpass spells it.
    const minAmount = nairaOf(service["minimium_amount"] ?? service["minimum_amount"]);
    if (id !== undefined) services.set(id, { minAmount, maxAmount: nairaOf(service["maximum_amount"]) });
  }
  return services;
}

export type Offers = Pick<ProductList, "products" | "leftOut">;
export type Seller = Pick<Product, "category" | "provider"> & { readonly serviceId: string };

/** The plans or packages of one service. Null for a reply that is not its list. */
export function readVariations(reply: WireReply, seller: Seller): Offers | null {
  const content = contentOf(reply);
  if (!isRecord(content) || (textOf(content["serviceID"]) ?? seller.serviceId) !== seller.serviceId) return null;
  // Older replies misspell the name; some carry both.
  const listed = content["variations"] ?? content["varations"];
  if (!Array.isArray(listed)) return null;
  const products: Product[] = [];
  const leftOut: ProductList["leftOut"][number][] = [];
  for (const variation of listed) {
    const read = readVariation(recordAt(variation), seller);
    if ("reason" in read) leftOut.push({ provider: seller.provider, ...read });
    else products.push(read);
  }
  return { products, leftOut };
}

/** Reads every list. A list that cannot be read spoils the whole, so that nothing vanishes from ours by accident. */
export async function readProducts(client: VtpassClient): Promise<ProductList | null> {
  const bounds: AmountBounds[] = [];
  const sellers: Seller[] = [];
  for (const category of keysOf(soldCategories)) {
    const listed = readServices(await client.listServices(soldCategories[category]));
    if (listed === null) return null;
    for (const { provider, serviceId } of servicesOf(category)) {
      const limits = listed.get(serviceId);
      if (limits === undefined) continue;
      if (category === "data" || category === "tv") sellers.push({ category, provider, serviceId });
      else bounds.push(...boundsOf(limits).map((found) => ({ category, provider, ...found })));
    }
  }
  const offers = await Promise.all(
    sellers.map(async (seller) => readVariations(await client.listVariations(seller.serviceId), seller)),
  );
  const read = offers.filter((offer) => offer !== null);
  if (read.length < offers.length) return null;
  return {
    bounds,
    products: read.flatMap(({ products }) => products),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
  };
}

function boundsOf({ minAmount, maxAmount }: Limits) {
  if (minAmount === undefined || maxAmount === undefined || maxAmount === zeroKobo) return [];
  return minAmount <= maxAmount ? [{ minAmount, maxAmount }] : [];
}

/** These replies say 000 where the others have words, and have no code. */
function contentOf(reply: WireReply): unknown {
  if (reply.kind !== "answer" || reply.status !== 200 || !isRecord(reply.body)) return null;
  const { body } = reply;
  const said = textOf(body["code"]) ?? textOf(body["response_description"]);
  return said?.trim() === processed ? (body["content"] ?? null) : null;
}

const nameKept = 100;
/** Orders name a product in small letters. */
const codes = /^[a-z0-9][a-z0-9._-]{0,59}$/;

function readVariation(
  variation: WireRecord,
  { category, provider }: Seller,
): Product | { readonly code: string; readonly reason: string } {
  const code = textOf(variation["variation_code"])?.trim() ?? "";
  const name = (textOf(variation["name"]) ?? "").trim().replaceAll(/\s+/g, " ").slice(0, nameKept).trim();
  const amount = nairaOf(variation["variation_amount"]);
  const leftOut = (reason: string) => ({ code: code.slice(0, nameKept), reason });
  if (!codes.test(code)) return leftOut("its code cannot be ordered here");
  if (name === "") return leftOut("it has no name");
  if (amount === undefined || amount === zeroKobo) return leftOut("it has no price");
  if (amount % 100n !== 0n) return leftOut("its price has kobo");
  if (/^no$/i.test(textOf(variation["fixedPrice"]) ?? "")) return leftOut("its price is not fixed");
  const common = { provider, code, name, amount };
  if (category === "data") return { ...common, category, size: sizeIn(name), validityDays: daysIn(name), months: null };
  const months = monthsIn(name);
  if (months === null) return leftOut("it does not run for whole months");
  return { ...common, category, size: null, validityDays: null, months };
}

/** What the name of a plan or package tells. VTpass has no fields for it; what a name does not tell stays unknown. */
const hoursADay = 24;

/** "1.5GB" out of "N1000 1.5GB - 30 days". Of several sizes the first is the plan's, the others are extras. */
export function sizeIn(name: string): string | null {
  const found = /(\d+(?:,\d{3})*(?:\.\d+)?)\s*(TB|GB|MB)(?![a-z])/i.exec(name);
  if (found === null) return null;
  const [, amount = "", unit = ""] = found;
  return `${amount.replaceAll(",", "")}${unit.toUpperCase()}`;
}

type Unit = "hour" | "day" | "week" | "month" | "year";

interface Period {
  readonly count: number;
  readonly unit: Unit;
}

const units: readonly (readonly [RegExp, Unit])[] = [
  [/^h/, "hour"],
  [/^d/, "day"],
  [/^w/, "week"],
  [/^m/, "month"],
  [/^y/, "year"],
];

const counted = /(\d{1,4})\s*-?\s*(hours?|hrs?|days?|weeks?|wks?|months?|mths?|years?|yrs?)(?![a-z])/gi;

const named: readonly (readonly [RegExp, Period])[] = [
  [/\bdaily\b/i, { count: 1, unit: "day" }],
  [/\bweekly\b/i, { count: 1, unit: "week" }],
  [/\bmonthly\b/i, { count: 1, unit: "month" }],
  [/\bquarterly\b/i, { count: 3, unit: "month" }],
  [/\b(yearly|annual(ly)?)\b/i, { count: 1, unit: "year" }],
];

/** Extras come first and how long the whole runs comes last: "2GB + 1 hour of video - 30 days". */
function periodIn(name: string): Period | undefined {
  const last = [...name.matchAll(counted)].at(-1);
  if (last === undefined) return named.find(([word]) => word.test(name))?.[1];
  const [, count = "", written = ""] = last;
  const unit = units.find(([start]) => start.test(written.toLowerCase()))?.[1] ?? "day";
  return { count: Number(count), unit };
}

const daysOf: Readonly<Record<Exclude<Unit, "hour">, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** Null as well for what ends within a day: three hours are not one day. */
export function daysIn(name: string): number | null {
  const period = periodIn(name);
  if (period === undefined || period.count === 0) return null;
  const { count, unit } = period;
  if (unit === "hour") return count % hoursADay === 0 ? count / hoursADay : null;
  return count * daysOf[unit];
}

/** Packages are sold by the month unless their name says otherwise; null for weeks and days. */
export function monthsIn(name: string): number | null {
  const period = periodIn(name);
  if (period === undefined) return 1;
  const { count, unit } = period;
  if (count === 0 || unit === "hour" || unit === "day" || unit === "week") return null;
  return unit === "year" ? count * 12 : count;
}
