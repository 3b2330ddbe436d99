/** Webhooks on localhost: printed, forwarded with good signatures, waited for, and none lost by a kill. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { type JaraEvent, verifyWebhook } from "../../sdk/src/index.ts";
import { eventually } from "../../server/testing/work.ts";
import type { Running } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const { createJara, sdk } = await createCommandWorld();
let jara = createJara();

interface Came {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const came: Came[] = [];
let reply = 200;
let server: Server | undefined;

async function open(port = 0): Promise<number> {
  const opened = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      came.push({ body, headers: request.headers as Came["headers"] });
      response.writeHead(reply).end("ok");
    });
  });
  server = opened;
  opened.listen(port, "127.0.0.1");
  await once(opened, "listening");
  return (opened.address() as AddressInfo).port;
}

function close(): void {
  server?.closeAllConnections();
  server?.close();
}

afterAll(close);

let listening: Running[] = [];
beforeEach(() => {
  jara = createJara();
});
afterEach(async () => {
  for (const running of listening) running.child.kill("SIGINT");
  await Promise.all(listening.map((running) => running.ended()));
  listening = [];
  came.length = 0;
  reply = 200;
});

async function listen(...words: string[]): Promise<Running> {
  const running = jara.start("listen", ...words);
  listening.push(running);
  await running.says("Listening to");
  return running;
}

let made = 0;
/** Returns when the payout's event is in the log: it happened before whatever comes next. */
async function pay(): Promise<string> {
  made += 1;
  const reference = `listen-${made}`;
  await sdk.transfers.create({ accountNumber: "0123456789", bankCode: "058", amount: 500, reference });
  const isLogged = async () => (await sdk.events.readFeed({ limit: 100 })).events.some(isAbout(reference));
  await eventually("its event is in the log", isLogged);
  return reference;
}

const isAbout =
  (reference: string) =>
  ({ data }: Pick<JaraEvent, "data">): boolean =>
    "reference" in data && data.reference === reference;

const port = await open();
const hooks = `http://127.0.0.1:${port}/hooks`;
/** In the order in which they came first: one that was under way when its listener ended may come again. */
const references = () => [...new Set(came.map(({ body }) => JSON.parse(body).data.reference as string))];
const cameInOrder = async (...wanted: string[]): Promise<void> => {
  const found = () => references().filter((reference) => wanted.includes(reference));
  await eventually("all came", () => found().length === wanted.length);
  expect(found()).toEqual(wanted);
};

test("prints each event once, from now on", async () => {
  await pay();
  const running = await listen();
  const reference = await pay();
  await running.says(reference);
  expect(running.out()).not.toContain("listen-1 ");
  expect(running.out().match(/transfer\.completed/g)).toHaveLength(1);
});

test("forwards with a signature that the SDK accepts, and the body of the log", async () => {
  const running = await listen("--forward-to", hooks);
  const secret = () => /signed with (whsec_\S+)\n/.exec(running.err())?.[1];
  await eventually("the secret is said", () => secret() !== undefined);
  await pay();
  await eventually("it came", () => came.length === 1);
  const [{ body, headers } = { body: "", headers: {} }] = came;
  const event: JaraEvent = await verifyWebhook(body, headers, secret() ?? "");
  expect(event).toEqual(await sdk.events.get(event.id));
  expect(headers["webhook-id"]).toBe(event.id);
});

test("keeps its secret and goes on where the last run ended", async () => {
  const first = await listen("--forward-to", hooks);
  first.child.kill("SIGINT");
  expect((await first.ended()).code).toBe(0);
  const reference = await pay();
  const second = await listen("--forward-to", hooks);
  await eventually("it came", () => references().includes(reference));
  const secretOf = ({ err }: Running) => /whsec_\S+/.exec(err())?.[0];
  expect(secretOf(second)).toBe(secretOf(first));
});

test("a listener without an address takes nothing from one that has to wait for its application", async () => {
  close();
  const waiting = await listen("--forward-to", hooks);
  const reference = await pay();
  await waiting.says("is away: nothing listens there");
  const printing = await listen("--from-start");
  await printing.says(reference);
  for (const running of [waiting, printing]) {
    running.child.kill("SIGINT");
    await running.ended();
  }
  await open(port);
  await listen("--forward-to", hooks);
  await cameInOrder(reference);
});

test("--from-start begins there in the next run as well, as long as nothing was taken", async () => {
  const reference = await pay();
  close();
  const first = await listen("--forward-to", hooks, "--from-start", "--events", "transfer.completed");
  await first.says("is away");
  first.child.kill("SIGINT");
  await first.ended();
  await open(port);
  came.length = 0;
  await listen("--forward-to", hooks, "--events", "transfer.completed");
  await eventually("all of them came", () => references().includes(reference) && references().includes("listen-1"));
});

test("says when another one listens for the same address, and when an event is not known", async () => {
  const first = await listen("--forward-to", hooks, "--events", "transfer.complted");
  await first.says("transfer.complted is not an event that is known here. Did you mean transfer.completed?");
  const second = await listen("--forward-to", hooks, "--events", "transfer.complted");
  await second.says(`Process ${first.child.pid} listens for the same`);
});

test("waits for an application that is away, and loses nothing", async () => {
  close();
  const running = await listen("--forward-to", hooks);
  const [one, two] = [await pay(), await pay()];
  await running.says("is away: nothing listens there");
  await open(port);
  await cameInOrder(one, two);
});

test("killed in the middle, it sends what was not taken, and little twice", async () => {
  close();
  const running = await listen("--forward-to", hooks);
  const [one, two] = [await pay(), await pay()];
  await running.says("is away");
  running.child.kill("SIGKILL");
  await running.ended();
  await open(port);
  await listen("--forward-to", hooks);
  await cameInOrder(one, two);
});

test("goes on after an application that refuses three times, and says how to send it again", async () => {
  reply = 500;
  const running = await listen("--forward-to", hooks);
  await pay();
  await running.says("jara events resend");
  expect(came).toHaveLength(3);
  reply = 200;
  const [, id = ""] = /jara events resend (\S+)/.exec(running.err()) ?? [];
  expect((await jara.run("events", "resend", id)).code).toBe(0);
  await eventually("it came again", () => came.length === 4);
  expect(came.at(-1)?.headers["webhook-id"]).toBe(id);
});

test("forwards only what was asked for, and prints JSON for scripts", async () => {
  const running = await listen("--events", "bill.successful", "--json", "--forward-to", hooks);
  await pay();
  await sdk.bills.airtime.vend({ network: "MTN", phoneNumber: "08031234567", amount: 100, reference: "listen-air" });
  await eventually("the bill came", () => came.length === 1);
  await running.says("listen-air");
  expect(
    running
      .out()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event),
  ).toEqual(["bill.successful"]);
});

test("goes on after the sandbox was emptied", async () => {
  const running = await listen();
  await sdk.sandbox.reset();
  await running.says("The sandbox was emptied");
  await sdk.sandbox.wallets.fund({ amount: 5_000 });
  await running.says("wallet.credited");
});
