/** A hosted card page that is open, without the customer and the request that lead to it. */
import { randomUUID } from "node:crypto";
import { hashPageToken, newPageToken } from "../../src/checkout/pages/page-token.ts";
import { asOwner } from "../work.ts";

/** Returns the page's token. The link's customer does not exist: a test of the page's vault needs none. */
export async function openCardPage(ownerUrl: string, environmentId: string, openedAt = "now"): Promise<string> {
  const token = newPageToken();
  await asOwner(
    ownerUrl,
    `set session_replication_role = replica;
     insert into card_links (environment_id, id, customer_id, token_hash, sealed_token, phone, status, created_at,
       expires_at, updated_at)
     values ('${environmentId}', '${randomUUID()}', '${randomUUID()}', '\\x${hashPageToken(token).toString("hex")}',
       '\\x00', '+2348031234567', 'pending', '${openedAt}', timestamptz '${openedAt}' + interval '30 minutes', '${openedAt}')`,
  );
  return token;
}
