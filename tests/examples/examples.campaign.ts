/** Every example is run as a person runs it, against the whole API with its worker: what people copy has to hold. */
import { createHmac } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../server/testing/work.ts";
import { createCommandWorld } from "../cli/world.ts";
import { createLossyProxy } from "../sdk/lossy-proxy.ts";
import { canRun, createShop, type Example, examples, folder } from "./example-process.ts";

const { baseUrl, sdk, secretKey } = await createCommandWorld();
const proxy = await createLossyProxy(baseUrl);

interface Seen {
  readonly status: string;
  readonly reason: string | null;
  readonly accountName: string | null;
  readonly messages: readonly unknown[];
}

/** The order that its README places. */
function orderOf({ name, prefix }: Example) {
  const readme = readFileSync(join(folder, name, "README.md"), "utf8");
  const [, order = ""] = new RegExp(`http://localhost:3000${prefix}/orders -H .* -d '([^']+)'`).exec(readme) ?? [];
  return JSON.parse(order) as { id: string; seller: string; amount: number };
}

async function openShop(example: Example) {
  const shop = await createShop(example, { JARA_BASE_URL: proxy.baseUrl, JARA_SECRET_KEY: secretKey });
  const hooks = `${shop.url}/hooks`;
  const { secret } = await sdk.webhooks.endpoints.create({ url: hooks });
  const settings = { JARA_WEBHOOK_SECRET: secret };
  const usual = orderOf(example);
  await shop.start(settings);
  const see = async (id: string): Promise<Seen> => (await fetch(`${shop.url}/orders/${id}`)).json() as Promise<Seen>;
  return {
    kill: shop.kill,
    restart: () => shop.start(settings),
    place: (id: string, more: object = {}): Promise<Response> =>
      fetch(`${shop.url}/orders`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...usual, id, ...more }),
      }),
    see,
    becomes: (id: string, status: string): Promise<void> =>
      eventually(`order ${id} is ${status}`, async () => (await see(id)).status === status),
    deliver: async (event: object, forged: Forgery = {}): Promise<number> => {
      const body = JSON.stringify(event);
      const headers = { "content-type": "application/json", ...sign(body, secret, forged) };
      return (await fetch(hooks, { method: "POST", headers, body: forged.body ?? body })).status;
    },
  };
}

interface Forgery {
  readonly body?: string;
  readonly secret?: string;
  readonly age?: number;
  readonly signatures?: (right: string) => string;
}

function sign(body: string, ownSecret: string, { secret = ownSecret, age = 0, signatures = (one) => one }: Forgery) {
  const timestamp = String(Math.floor(Date.now() / 1_000) - age);
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const right = `v1,${mac.update(`evt.${timestamp}.${body}`).digest("base64")}`;
  return { "webhook-id": "evt", "webhook-timestamp": timestamp, "webhook-signature": signatures(right) };
}

const outcome = (id: string, event: string, version: number) => ({
  id: `event-${id}-${version}`,
  event,
  resource_version: version,
  data: { reference: `order-${id}`, failureReason: null },
});

/** Whether the order's event could not be delivered somewhere. */
async function hasFailedFor(id: string): Promise<boolean> {
  const events = await sdk.events.list({ event: "transfer.completed" }).toArray(20);
  const event = events.find(({ data }) => "reference" in data && data.reference === `order-${id}`);
  const deliveries = event === undefined ? [] : await sdk.events.listDeliveries(event.id).toArray();
  return deliveries.some(({ attempts }) => attempts.some(({ status }) => status === null));
}

const transfersOf = (id: string) => sdk.transfers.list({ reference: `order-${id}` }).toArray();

describe.each(examples.filter(canRun))("examples/$name", async (example) => {
  const shop = await openShop(example);
  const order = (id: string): string => `${example.name}-${id}`;

  test("an order is paid out, and its webhook says so", async () => {
    const id = order("good");
    const reply = await shop.place(id);
    expect(reply.status).toBe(201);
    await shop.becomes(id, "paid");
    expect(await shop.see(id)).toMatchObject({
      accountName: orderOf(example).seller,
      reason: null,
      messages: [expect.anything()],
    });
    expect(await transfersOf(id)).toMatchObject([{ status: "completed", amount: 2500.5, narration: `Order ${id}` }]);
  });

  test("a payout that the bank refuses shows as failed, with the reason", async () => {
    const id = order("bad_FAIL");
    await shop.place(id);
    await shop.becomes(id, "failed");
    expect((await shop.see(id)).reason).toBe("The bank does not honour this payment");
  });

  test("somebody else's account is not paid", async () => {
    const id = order("stranger");
    await shop.place(id, { seller: "Somebody Else" });
    expect(await shop.see(id)).toMatchObject({ status: "refused", reason: expect.stringContaining("name") });
    expect(await transfersOf(id)).toEqual([]);
  });

  test("an order that was refused for want of money is paid when it is placed again", async () => {
    const id = order("large");
    const { available } = await sdk.wallets.getBalance();
    const amount = Math.ceil(available) + 1;
    await shop.place(id, { amount });
    expect(await shop.see(id)).toMatchObject({
      status: "refused",
      reason: expect.stringContaining("Nothing was taken"),
    });
    await sdk.sandbox.wallets.fund({ amount: 10_000 });
    await shop.place(id, { amount });
    await shop.becomes(id, "paid");
    await sdk.sandbox.wallets.fund({ amount });
  });

  test("what is not an order is refused", async () => {
    expect((await shop.place("two words")).status).toBe(400);
    expect((await shop.place(order("nobody"), { seller: undefined })).status).toBe(400);
  });

  test("placed five times at once, it is paid once", async () => {
    const id = order("eager");
    await Promise.all(Array.from({ length: 5 }, () => shop.place(id)));
    await shop.becomes(id, "paid");
    expect(await transfersOf(id)).toHaveLength(1);
  });

  test("the same event eight times at once, and once more, acts once", async () => {
    const id = order("repeated_PENDING");
    await shop.place(id);
    const event = outcome(id, "transfer.completed", 3);
    const replies = await Promise.all(Array.from({ length: 8 }, () => shop.deliver(event)));
    expect([...replies, await shop.deliver(event)]).toEqual(Array.from({ length: 9 }, () => 204));
    expect(await shop.see(id)).toMatchObject({ status: "paid", messages: [expect.anything()] });
  });

  test("an event that is overtaken by a later one changes nothing", async () => {
    const id = order("overtaken_PENDING");
    await shop.place(id);
    expect(await shop.deliver(outcome(id, "transfer.reversed", 4))).toBe(204);
    expect(await shop.deliver(outcome(id, "transfer.completed", 3))).toBe(204);
    expect(await shop.see(id)).toMatchObject({ status: "reversed", messages: [expect.anything()] });
  });

  test("events that are of no interest are taken and change nothing", async () => {
    expect(await shop.deliver({ ...outcome("x", "wallet.credited", 1), data: { amount: 1 } })).toBe(204);
    expect(await shop.deliver(outcome("of-another-program", "transfer.completed", 3))).toBe(204);
  });

  test("what is not signed by Jara, or long ago, is refused", async () => {
    const id = order("forged_PENDING");
    await shop.place(id);
    const event = outcome(id, "transfer.completed", 3);
    const otherSecret = `whsec_${Buffer.from("the secret of somebody else").toString("base64")}`;
    const forgeries: Forgery[] = [
      { secret: otherSecret },
      { body: `${JSON.stringify(event)} ` },
      { age: 301 },
      { age: -330 },
      { signatures: () => "" },
      { signatures: (right) => right.replace("v1,", "") },
      { signatures: (right) => right.replace("v1,", "v2,") },
      { signatures: (right) => right.slice(0, -8) },
    ];
    for (const forgery of forgeries) expect(await shop.deliver(event, forgery), JSON.stringify(forgery)).toBe(400);
    expect((await shop.see(id)).status).toBe("sent");
    const rotating: Forgery = { signatures: (right) => `v1,${Buffer.alloc(32).toString("base64")} ${right}` };
    expect(await shop.deliver(event, rotating)).toBe(204);
    expect((await shop.see(id)).status).toBe("paid");
  });

  test("killed before it hears that its payout was taken, it pays no second time", async () => {
    const id = order("cut-off");
    const taken = proxy.keepBack("POST /transfers");
    shop.place(id).catch(() => undefined);
    await taken;
    await shop.kill();
    await shop.restart();
    await shop.becomes(id, "paid");
    expect(await transfersOf(id)).toHaveLength(1);
    expect((await shop.see(id)).messages).toHaveLength(1);
  });

  test("an event that came while it was down comes again", async () => {
    const id = order("away_PENDING");
    await shop.place(id);
    await shop.kill();
    const isWithBank = async () => (await transfersOf(id))[0]?.status === "processing";
    await eventually("the payout is with the bank", isWithBank);
    const [transfer] = await transfersOf(id);
    await sdk.sandbox.transfers.complete(transfer?.id ?? "");
    await eventually("the webhook has found nobody", () => hasFailedFor(id));
    await shop.restart();
    await shop.becomes(id, "paid");
    expect((await shop.see(id)).messages).toHaveLength(1);
  });

  test("its source has at most 150 lines, not counting empty ones", () => {
    const sources = globSync("**/*.{ts,mjs,py,php}", { cwd: join(folder, example.name), exclude: ["node_modules"] });
    const lines = sources.flatMap((path) => readFileSync(join(folder, example.name, path), "utf8").split("\n"));
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(150);
  });
});
