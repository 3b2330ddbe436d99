/** Events that somebody has sent again, however it was asked for: each comes to every listener, once, and none is lost. */
import { afterEach, expect, test } from "vitest";
import { Jara as Client, type JaraEvent, verifyWebhook } from "../../sdk/src/index.ts";
import {
  answering,
  createReceiver,
  type Manner,
  type Receiver,
} from "../../server/testing/webhooks/webhook-receiver.ts";
import { eventually } from "../../server/testing/work.ts";
import type { Jara, Running } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const { createJara, sdk, baseUrl, otherKey } = await createCommandWorld();

/** As an application that is not running: the connection ends without a reply. */
const away: Manner = (reply) => void reply.socket?.destroy();

let listening: Running[] = [];
afterEach(async () => {
  for (const running of listening) running.child.kill("SIGINT");
  await Promise.all(listening.map((running) => running.ended()));
  listening = [];
});

async function listen(jara: Jara, { url }: Pick<Receiver, "url">): Promise<Running> {
  const running = jara.start("listen", "--forward-to", url);
  listening.push(running);
  await running.says("Listening to");
  return running;
}

async function end(running: Running, signal: NodeJS.Signals): Promise<void> {
  running.child.kill(signal);
  await running.ended();
}

let made = 0;
/** Returns when the payout's event is in the log: it happened before whatever comes next. */
async function pay(): Promise<JaraEvent> {
  made += 1;
  const reference = `resend-${made}`;
  await sdk.transfers.create({ accountNumber: "0123456789", bankCode: "058", amount: 500, reference });
  let found: JaraEvent | undefined;
  await eventually("its event is in the log", async () => {
    found = (await sdk.events.list().page()).items.find(
      ({ data }) => "reference" in data && data.reference === reference,
    );
    return found !== undefined;
  });
  if (found === undefined) throw new Error("no event");
  return found;
}

const idsAt = ({ received }: Receiver) => received.map(({ headers }) => headers["webhook-id"]);
/** These and no others, in this order. */
const cameTo = (receiver: Receiver, ...ids: string[]) => expect.poll(() => idsAt(receiver)).toEqual(ids);
const secretOf = ({ err }: Running) => /signed with (whsec_\S+)/.exec(err())?.[1] ?? "";

test("a resend through the API comes to every listener, signed, and with the bytes of the first webhook", async () => {
  const endpoint = await createReceiver();
  const { id: endpointId, secret } = await sdk.webhooks.endpoints.create({ url: endpoint.url });
  const applications = [await createReceiver(), await createReceiver()];
  const listeners = await Promise.all(applications.map((application) => listen(createJara(), application)));
  const { id } = await pay();
  for (const receiver of [endpoint, ...applications]) await cameTo(receiver, id);
  await sdk.events.redeliver(id);
  for (const receiver of [endpoint, ...applications]) await cameTo(receiver, id, id);
  await sdk.events.redeliver(id, { endpointId });
  for (const receiver of [endpoint, ...applications]) await cameTo(receiver, id, id, id);
  const all = [endpoint, ...applications].flatMap(({ received }) => received);
  expect(new Set(all.map(({ body }) => body)).size).toBe(1);
  const secrets = [secret, ...listeners.map(secretOf)];
  for (const [index, { received }] of [endpoint, ...applications].entries()) {
    for (const { body, headers } of received) {
      expect(await verifyWebhook(body, headers, secrets[index] ?? "")).toMatchObject({ id });
    }
  }
  expect(listeners[0]?.out().match(/sent again/g)).toHaveLength(2);
  await sdk.webhooks.endpoints.delete(endpointId);
});

test("a resend while nobody listens comes to the next run, and only to that one", async () => {
  const [jara, application] = [createJara(), await createReceiver()];
  const first = await listen(jara, application);
  const { id } = await pay();
  await cameTo(application, id);
  await end(first, "SIGINT");
  await sdk.events.redeliver(id);
  const second = await listen(jara, application);
  await cameTo(application, id, id);
  await second.says("sent again");
  await end(second, "SIGINT");
  await listen(jara, application);
  const later = await pay();
  await cameTo(application, id, id, later.id);
});

test("killed while a resend waits for the application, a listener sends it in the next run, in its place", async () => {
  const [jara, application] = [createJara(), await createReceiver()];
  const first = await listen(jara, application);
  const [one, two] = [await pay(), await pay()];
  await cameTo(application, one.id, two.id);
  application.behave(away);
  await sdk.events.redeliver(one.id);
  await first.says("is away");
  await end(first, "SIGKILL");
  const three = await pay();
  await sdk.events.redeliver(two.id);
  application.received.length = 0;
  application.behave(answering(200));
  await listen(jara, application);
  await cameTo(application, one.id, three.id, two.id);
});

test("an application that is away gets resends and new events in their order when it is back", async () => {
  const application = await createReceiver();
  const running = await listen(createJara(), application);
  const one = await pay();
  await cameTo(application, one.id);
  application.behave(away);
  const two = await pay();
  await sdk.events.redeliver(one.id);
  const three = await pay();
  await running.says("is away");
  application.received.length = 0;
  application.behave(answering(200));
  await cameTo(application, two.id, one.id, three.id);
});

test("a resend comes to no other merchant's listener", async () => {
  const [own, foreign] = [await createReceiver(), await createReceiver()];
  await listen(createJara(), own);
  await listen(createJara(otherKey), foreign);
  const { id } = await pay();
  await sdk.events.redeliver(id);
  await cameTo(own, id, id);
  const other = new Client({ baseUrl, secretKey: otherKey });
  await other.sandbox.wallets.fund({ amount: 5_000 });
  await eventually("its own came", () => foreign.received.length > 0);
  expect(foreign.received.map(({ body }) => JSON.parse(body).event)).toEqual(["wallet.credited"]);
});
