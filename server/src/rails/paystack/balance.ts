/** The money that transfers are paid from. */
import type { Hold } from "../answer.ts";
import type { Float } from "../provider.ts";
import { koboOf, recordAt } from "../wire-json.ts";
import { type PaystackClient, readBalance } from "./client.ts";
import { isPage } from "./page.ts";
import { holdIn } from "./refusal.ts";

export async function readFloat(client: PaystackClient): Promise<Float | Hold | null> {
  const reply = await readBalance(client);
  if (!isPage(reply)) return holdIn(reply) ?? null;
  const naira = reply.body.data.map((row) => recordAt(row)).find(({ currency }) => currency === "NGN");
  const available = koboOf(naira?.balance);
  return available === undefined ? null : { available };
}
