/** The wallet that disbursements are paid from. */
import type { Hold } from "../answer.ts";
import type { Float } from "../provider.ts";
import { nairaOf } from "../wire-json.ts";
import { type MonnifyClient, readWallet } from "./client.ts";
import { bodyIn, holdIn } from "./reply.ts";

export async function readFloat(client: MonnifyClient): Promise<Float | Hold | null> {
  const reply = await readWallet(client);
  const available = nairaOf(bodyIn(reply)?.availableBalance);
  return available === undefined ? (holdIn(reply) ?? null) : { available };
}
