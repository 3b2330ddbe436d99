/**
 * A shop that pays its sellers through Jara. POST /orders keeps an order and pays its seller, GET /orders/{id} shows
 * it, and Jara says at POST /hooks what became of the payout.
 *
 * POST /orders spends your money. It listens on this machine only: put your own login in front before you open it up.
 */
import { Jara, JaraApiError, verifyWebhook, WebhookSignatureError } from "@jara/sdk";
import Fastify from "fastify";
import { findOrder, handleEvent, keepOrder, listPlaced, moveUnsent, type NewOrder } from "./orders.ts";

const { JARA_BASE_URL, JARA_SECRET_KEY = "", JARA_WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const jara = new Jara({ secretKey: JARA_SECRET_KEY, baseUrl: JARA_BASE_URL });
if (!JARA_WEBHOOK_SECRET.startsWith("whsec_")) throw new Error("Set JARA_WEBHOOK_SECRET to what jara listen prints.");
const app = Fastify({ logger: { level: "warn" } });

/** Safe to call again at any time, also after a crash in the middle: Jara pays a reference once. */
async function payOut({ id, seller, accountNumber, bankCode, amount }: NewOrder): Promise<void> {
  try {
    const { accountName, nameEnquiryReference } = await jara.transfers.enquireName({ accountNumber, bankCode });
    // With accountName, Jara pays only if the bank's name for the account is the seller's.
    const payout = { accountNumber, bankCode, amount, accountName: seller, nameEnquiryReference };
    await jara.transfers.create({ ...payout, reference: `order-${id}`, narration: `Order ${id}` });
    moveUnsent(id, "sent", { accountName });
  } catch (error) {
    if (isRefusal(error)) moveUnsent(id, "refused", { reason: error.message });
    else app.log.warn(error, `order ${id} waits for its next try`);
  }
}

/** A wrong key, too many requests, a lost reply: they say nothing about the order, and it is tried again later. */
function isRefusal(error: unknown): error is JaraApiError {
  return error instanceof JaraApiError && error.status < 500 && ![401, 403, 429].includes(error.status);
}

/** What a crash or a lost reply left behind. */
const payOutPlaced = () => Promise.all(listPlaced().map(payOut));

const text = { type: "string", minLength: 1 };
const id = { type: "string", pattern: "^[\\w-]{1,50}$" };
const properties = { id, seller: text, accountNumber: text, bankCode: text, amount: { type: "number" } };
const body = { type: "object", required: Object.keys(properties), properties };

app.post<{ Body: NewOrder }>("/orders", { schema: { body } }, async ({ body: order }, reply) => {
  await payOut(keepOrder(order));
  return reply.code(201).send(findOrder(order.id));
});

app.get<{ Params: { id: string } }>("/orders/:id", async ({ params }, reply) => {
  return findOrder(params.id) ?? reply.code(404).send({ error: "There is no such order." });
});

app.register(async (hooks) => {
  // The signature covers the bytes as they came: on this path nothing parses them first.
  hooks.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, rawBody, done) => done(null, rawBody));
  hooks.post("/hooks", async (request, reply) => {
    try {
      handleEvent(await verifyWebhook(request.body as Buffer, request.headers, JARA_WEBHOOK_SECRET));
      return reply.code(204).send();
    } catch (error) {
      if (error instanceof WebhookSignatureError) return reply.code(400).send({ error: error.message });
      throw error; // 500: Jara sends it again
    }
  });
});

await app.listen({ port: Number(PORT) });
console.log(`The shop is at http://localhost:${PORT}`);
await payOutPlaced();
setInterval(payOutPlaced, 30_000);
