import type { Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { Endpoint } from "./endpoint.ts";
import { readSealedSecret, replaceSecrets } from "./endpoint-store.ts";
import { lockEndpoint } from "./find-endpoint.ts";
import { makeWebhookSecret, openSecret, sealSecret } from "./webhook-secret.ts";

export const defaultOverlapSeconds = 86_400;

export interface RotateSecret {
  readonly id: string;
  readonly overlapSeconds?: number;
  readonly sealer: Sealer;
}

/** Both secrets sign during the overlap. A rotation within it drops the older of the two at once. */
export async function rotateEndpointSecret(
  tx: Tx,
  { id, overlapSeconds = defaultOverlapSeconds, sealer }: RotateSecret,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  await lockEndpoint(tx, id);
  const owner = { environmentId: tx.environment.id, endpointId: id };
  const sealed = await readSealedSecret(tx, id);
  const secret = makeWebhookSecret();
  const overlaps = sealed !== null && overlapSeconds > 0;
  const endpoint = await replaceSecrets(tx, id, {
    sealed: sealSecret(sealer, owner, "current", secret),
    // Bound to its column, it is sealed again for the other.
    sealedPrevious: overlaps
      ? sealSecret(sealer, owner, "previous", openSecret(sealer, owner, "current", sealed))
      : null,
    overlapSeconds: overlaps ? overlapSeconds : null,
  });
  return { endpoint, secret };
}
