/**
 * A shop that pays its sellers through Jara: plain Node, no package.
 *
 *   POST /orders       {"id","seller","accountNumber","bankCode","amount"}: keeps the order and pays the seller
 *   GET  /orders/{id}  how the order stands
 *   POST /hooks        where Jara says what became of a payout
 *
 * POST /orders spends your money. It listens on this machine only: put your own login in front before you open it up.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const { JARA_BASE_URL = "http://localhost:4000", JARA_SECRET_KEY, JARA_WEBHOOK_SECRET } = process.env;
const { ORDERS_FILE = "orders.db", PORT = "3000" } = process.env;
if (!JARA_SECRET_KEY || !JARA_WEBHOOK_SECRET?.startsWith("whsec_")) {
  console.error("Set JARA_SECRET_KEY (sk_…) and JARA_WEBHOOK_SECRET (whsec_…). README.md says where they come from.");
  process.exit(1);
}

const db = new DatabaseSync(ORDERS_FILE);
db.exec(`
  pragma busy_timeout = 5000;
  create table if not exists orders (
    id text primary key, seller text not null, accountNumber text not null, bankCode text not null,
    amount real not null, status text not null default 'placed', reason text, accountName text,
    version integer not null default 0);
  create table if not exists handledEvents (id text primary key);
  create table if not exists messages (orderId text not null, text text not null);
`);

/** The same for every try of an order: Jara pays a reference once, however often it is sent. */
const referenceOf = (id) => `order-${id}`;
const find = (id) => db.prepare("select * from orders where id = ?").get(id);

async function callJara(method, path, body) {
  const reply = await fetch(`${JARA_BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${JARA_SECRET_KEY}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const { data, code, message } = await reply.json();
  if (reply.ok) return data;
  // A wrong key, too many requests or a fault of the server say nothing about the order: it is tried again later.
  const isFinal = reply.status < 500 && ![401, 403, 429].includes(reply.status);
  throw Object.assign(new Error(`${code}: ${message}`), { isRefusal: isFinal });
}

/** Safe to call again at any time, also after a crash in the middle. */
async function payOut(id) {
  const { seller, accountNumber, bankCode, amount } = find(id);
  try {
    const query = new URLSearchParams({ accountNumber, bankCode });
    const { accountName, nameEnquiryReference } = await callJara("GET", `/transfers/name-enquiry?${query}`);
    // With accountName, Jara pays only if the bank's name for the account is the seller's.
    const payout = { accountNumber, bankCode, amount, currency: "NGN", accountName: seller, nameEnquiryReference };
    await callJara("POST", "/transfers", { ...payout, reference: referenceOf(id), narration: `Order ${id}` });
    moveUnsent(id, "sent", null, accountName);
  } catch (error) {
    if (error.isRefusal) moveUnsent(id, "refused", error.message, null);
    else console.error(`Order ${id} waits for its next try. ${error.message}`);
  }
}

/** The webhook may be faster than the reply; then the order has moved on already. */
function moveUnsent(id, status, reason, accountName) {
  db.prepare(
    "update orders set status = ?, reason = ?, accountName = ? where id = ? and status in ('placed', 'refused')",
  ).run(status, reason, accountName, id);
}

/** What a crash or a lost reply left behind. */
function payOutPlaced() {
  for (const { id } of db.prepare("select id from orders where status = 'placed'").all()) payOut(id);
}

function isFromJara(headers, rawBody) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  const key = Buffer.from(JARA_WEBHOOK_SECRET.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  const fits = (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
  // Two signatures come while the secret is being rotated; one is enough.
  const given = signatures.split(" ").filter((signature) => signature.startsWith("v1,"));
  return isRecent && given.some((signature) => fits(Buffer.from(signature.slice(3), "base64")));
}

const outcomes = { "transfer.completed": "paid", "transfer.failed": "failed", "transfer.reversed": "reversed" };

/** Once for each event, in one transaction. An event that is older than what the order knows changes nothing. */
function handle({ id, event, resource_version: version, data }) {
  db.exec("begin immediate");
  try {
    const isNew = db.prepare("insert or ignore into handledEvents values (?)").run(id).changes === 1;
    const status = outcomes[event];
    if (isNew && status !== undefined) {
      const orderId = data.reference.replace(/^order-/, "");
      const isMoved = db
        .prepare("update orders set status = ?, reason = ?, version = ? where id = ? and version < ?")
        .run(status, data.failureReason?.message ?? null, version, orderId, version).changes;
      // Mail takes long and Jara waits: write down what to send, and let another program send it.
      if (isMoved) db.prepare("insert into messages values (?, ?)").run(orderId, `Your payout is ${status}.`);
    }
    db.exec("commit");
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function keepOrder({ id, seller, accountNumber, bankCode, amount }) {
  const isOrder = [id, seller, accountNumber, bankCode].every((field) => typeof field === "string") && amount > 0;
  if (!isOrder || !/^[\w-]{1,50}$/.test(id)) throw Object.assign(new Error("This is not an order."), { status: 400 });
  db.prepare("insert or ignore into orders (id, seller, accountNumber, bankCode, amount) values (?, ?, ?, ?, ?)").run(
    id,
    seller,
    accountNumber,
    bankCode,
    amount,
  );
  return id;
}

function show(id) {
  const messages = db.prepare("select text from messages where orderId = ?").all(id);
  return { ...find(id), messages: messages.map(({ text }) => text) };
}

async function respond({ method, url, headers }, rawBody) {
  if (method === "POST" && url === "/hooks") {
    if (!isFromJara(headers, rawBody)) return [400, { error: "This is not signed by Jara, or it is too old." }];
    handle(JSON.parse(rawBody));
    return [204];
  }
  if (method === "POST" && url === "/orders") {
    const id = keepOrder(JSON.parse(rawBody));
    await payOut(id);
    return [201, show(id)];
  }
  const [, id = ""] = /^\/orders\/([\w-]+)$/.exec(url) ?? [];
  return find(id) ? [200, show(id)] : [404, { error: "There is no such order." }];
}

createServer(async (request, response) => {
  const [status, body] = await readBody(request)
    .then((rawBody) => respond(request, rawBody))
    .catch((error) => [error.status ?? 500, { error: error.message }]);
  response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
}).listen(Number(PORT), "127.0.0.1", () => console.log(`The shop is at http://localhost:${PORT}`));

payOutPlaced();
setInterval(payOutPlaced, 30_000);
