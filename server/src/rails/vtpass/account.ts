/** Our account at VTpass: its balance, and what is looked at before it is trusted. */
import { keysOf } from "../../platform/keys-of.ts";
import type { Hold } from "../answer.ts";
import { checkAddress, checkBalance } from "../check-connection.ts";
import type { ConnectionCheck, ConnectionSettings, Float } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { isRecord, nairaOf, recordAt } from "../wire-json.ts";
import type { VtpassClient } from "./client.ts";
import { readServices } from "./products.ts";
import { holdIn, readReply } from "./reply.ts";
import { servicesOf, soldCategories } from "./service-ids.ts";

/** Unlike everywhere else, the code of a balance is the number 1 and its content is called contents. */
export function classifyBalance(reply: WireReply): Float | Hold | null {
  if (reply.kind !== "answer") return null;
  const hold = holdIn(reply.status, reply.body);
  if (hold !== undefined) return hold;
  const available = reply.status === 200 && isRecord(reply.body) ? balanceIn(reply.body) : undefined;
  return available === undefined ? null : { available };
}

function balanceIn(body: Readonly<Record<string, unknown>>) {
  return nairaOf(recordAt(body, "contents")["balance"]) ?? nairaOf(recordAt(body, "content")["balance"]);
}

export async function checkAccount(
  client: VtpassClient,
  settings: ConnectionSettings,
): Promise<readonly ConnectionCheck[]> {
  const [balance, secret, services] = await Promise.all([
    client.readBalance(),
    client.requery(neverUsedId),
    Promise.all(keysOf(soldCategories).map((category) => checkServices(client, category))),
  ]);
  return [
    checkAddress(settings, hosts),
    checkBalance(classifyBalance(balance)),
    checkSecretKey(secret),
    ...services.flat(),
  ];
}

const hosts = {
  live: ["vtpass.com", "www.vtpass.com", "api-service.vtpass.com"],
  test: ["sandbox.vtpass.com"],
} as const;

/** On a day on which nobody bought anything here. */
const neverUsedId = "202001010000connectioncheck";

/** The balance is read with the public key. A question about an id that was never used proves the secret one. */
function checkSecretKey(reply: WireReply): ConnectionCheck {
  const name = "secret_key";
  const read = readReply(reply);
  if (read.kind === "code") return { name, result: "ok", message: "VTpass takes the secret key from this address." };
  const why = read.hold === undefined ? "VTpass did not reply." : `${read.hold.reason}: ${read.hold.message}`;
  return { name, result: "failed", message: why };
}

async function checkServices(
  client: VtpassClient,
  category: keyof typeof soldCategories,
): Promise<readonly ConnectionCheck[]> {
  const name = `services_${category}`;
  const listed = readServices(await client.listServices(soldCategories[category]));
  if (listed === null)
    return [{ name, result: "warning", message: `VTpass did not list its services of ${category}.` }];
  const missing = servicesOf(category).filter(({ serviceId }) => !listed.has(serviceId));
  return missing.map(({ provider, serviceId }) => ({
    name,
    result: "warning",
    message: `VTpass does not list ${serviceId}: ${category} of ${provider} will be refused.`,
  }));
}
