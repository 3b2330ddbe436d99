import { keysOf } from "../../platform/keys-of.ts";
import type { Hold } from "../answer.ts";
import { checkAddress, checkBalance } from "../check-connection.ts";
import type {
  ConnectionCheck,
  ConnectionSettings,
  Float,
  Hint,
  HookRequest,
  Provider,
  ProviderRecord,
  RecordQuestion,
} from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { isRecord, nairaOf, parseWireJson, recordAt, textOf } from "../wire-json.ts";
import { createVtpassBiller } from "./biller.ts";
import { priceIn, readTransaction } from "./classify.ts";
import { createVtpassClient, type VtpassClient } from "./client.ts";
import { failedCodes, neverSeen, processed, reversed } from "./codes.ts";
import { readProducts, readServices } from "./products.ts";
import { holdIn, readReply } from "./reply.ts";
import { servicesOf, soldCategories } from "./service-ids.ts";

export const vtpass: Provider = {
  name: "vtpass",
  ports: ["biller"],
  credentials: [
    { name: "apiKey", secret: true, required: true, description: "API key, from the profile's API keys." },
    { name: "publicKey", secret: true, required: true, description: "Public key (PK_…); shown with each question." },
    { name: "secretKey", secret: true, required: true, description: "Secret key (SK_…); shown with each order." },
  ],
  defaultBaseUrl: "https://vtpass.com/api",
  testBaseUrl: "https://sandbox.vtpass.com/api",
  connect: (settings) => {
    const client = createVtpassClient(settings);
    return {
      biller: createVtpassBiller(client),
      check: () => checkAccount(client, settings),
      readFloat: async () => classifyBalance(await client.readBalance()),
      readProducts: () => readProducts(client),
      books: { kinds: ["vend"], find: (question) => findVend(client, question) },
      readHook,
      hookReply,
    };
  },
};

/**
 * Webhooks of VTpass carry no signature: anybody can send one. So they say only what to ask about. Nothing in them is
 * believed, and one that cannot be read changes nothing.
 */

/** Anything else makes VTpass send the same again, five times. */
export const hookReply = { response: "success" } as const;

/** Request ids as we make them. */
const ours = /^\d{12}[0-9a-f]{32}$/;

export function readHook({ body }: HookRequest): Hint {
  const parsed = parseWireJson(body.toString("utf8"));
  const event = textOf(recordAt(parsed)["type"])?.slice(0, 100) ?? "unreadable";
  if (event === "variations-update") return { about: "products", event };
  const id = textOf(recordAt(parsed, "data")["requestId"]) ?? textOf(recordAt(parsed)["requestId"]) ?? "";
  return event === "transaction-update" && ours.test(id) ? { about: "biller", id, event } : { about: "nothing", event };
}

/** What VTpass has of an order, for reconciliation. It has no list, so it is asked about one at a time. */
async function findVend(client: VtpassClient, question: RecordQuestion): Promise<ProviderRecord | null> {
  const { orderId, sentAt } = question;
  const read = readTransaction(await client.requery(orderId), { requestId: orderId });
  if (read.answer !== undefined) throw new Error("VTpass could not be asked about an order");
  const { code, body, word, trace } = read;
  if (code === neverSeen && word === undefined) return null;
  const status = statusOf(code, word);
  const amount = priceIn(body) ?? null;
  if (status === "success" && amount === null) throw new Error("VTpass tells no amount of an order");
  return {
    kind: "vend",
    providerReference: trace.trace?.providerReference ?? orderId,
    ourId: orderId,
    amount,
    fee: trace.trace?.fee ?? null,
    status,
    word: code === processed ? (word ?? code) : code,
    // Its own moments come in many forms, or not at all.
    createdAt: sentAt,
  };
}

function statusOf(code: string, word: string | undefined): ProviderRecord["status"] {
  if (failedCodes.has(code)) return "failure";
  if (code === reversed) return "taken_back";
  if (code !== processed) return "open";
  if (word === "delivered") return "success";
  if (word === "failed") return "failure";
  return word === "reversed" ? "taken_back" : "open";
}

/** Our account at VTpass: its balance, and what is looked at before it is trusted. */

/** Unlike everywhere else, the code of a balance is the number 1 and its content is called contents. */
function classifyBalance(reply: WireReply): Float | Hold | null {
  if (reply.kind !== "answer") return null;
  const hold = holdIn(reply.status, reply.body);
  if (hold !== undefined) return hold;
  const available = reply.status === 200 && isRecord(reply.body) ? balanceIn(reply.body) : undefined;
  return available === undefined ? null : { available };
}

function balanceIn(body: Readonly<Record<string, unknown>>) {
  return nairaOf(recordAt(body, "contents")["balance"]) ?? nairaOf(recordAt(body, "content")["balance"]);
}

async function checkAccount(client: VtpassClient, settings: ConnectionSettings): Promise<readonly ConnectionCheck[]> {
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
