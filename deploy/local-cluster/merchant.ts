/** A merchant of a drill's own, with money to pay out and a place that hears every event. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import pg from "pg";
import { frontUrl, jaraHomeOf, type Layout, ownerUrl } from "./layout.ts";

export interface Merchant {
  readonly environmentId: string;
  readonly key: string;
  /** Kobo in the wallet before the first payout. */
  readonly funded: bigint;
  readonly receiver: Receiver;
}

export interface Receiver {
  readonly url: string;
  /** The events that came, each with the digests of all bodies that came under its id. */
  readonly heard: ReadonlyMap<string, ReadonlySet<string>>;
  close(): void;
}

export async function openMerchant(layout: Layout, name: string): Promise<Merchant> {
  const dev = JSON.parse(readFileSync(join(jaraHomeOf(layout), "dev.json"), "utf8")) as { operatorToken: string };
  const receiver = await startReceiver();
  const operator = (path: string, body: object) => post(layout, `/operator/${path}`, body, dev.operatorToken);
  const merchant = await operator("merchants", { name, email: `${name}@drill.example` });
  const [environment] = merchant["environments"] as { id: string }[];
  const environmentId = environment?.id ?? "";
  const { key } = (await operator(`environments/${environmentId}/keys`, { name: "Drill" })) as { key: string };
  await post(layout, "/webhooks/endpoints", { url: receiver.url }, key);
  await post(layout, "/sandbox/wallets/fund", { amount: 1_000_000_000 }, key);
  return { environmentId, key, receiver, funded: await readWallet(layout, environmentId) };
}

async function post(layout: Layout, path: string, body: object, token: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${frontUrl(layout)}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { data, message } = (await response.json()) as { data: Record<string, unknown>; message: string };
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${message}`);
  return data;
}

/** Takes everything, and keeps what it was told. */
function startReceiver(): Promise<Receiver> {
  const heard = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const digest = createHash("sha256");
    request.on("data", (part: Buffer) => digest.update(part));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      heard.set(id, (heard.get(id) ?? new Set()).add(digest.digest("hex")));
      response.writeHead(204).end();
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const close = (): void => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ url: `http://127.0.0.1:${port}/hooks`, heard, close });
    });
  });
}

async function readWallet(layout: Layout, environmentId: string): Promise<bigint> {
  const rows = await asOwner<{ balance: string }>(
    layout,
    "select sum(balance)::text as balance from accounts where environment_id = $1 and purpose = 'wallet'",
    [environmentId],
  );
  return BigInt(rows[0]?.balance ?? "0");
}

export async function asOwner<Row extends pg.QueryResultRow>(
  layout: Layout,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl(layout) });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
