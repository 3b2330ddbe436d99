/** What happens to webhook endpoints. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Playing } from "../flows/playing.ts";
import type { Flow } from "./flow.ts";

/** Nobody listens there. */
const nowhere = "http://localhost:9";

async function openEndpoint({ jara, mark, afterwards }: Playing, address: string): Promise<string> {
  const { endpoints } = jara.webhooks;
  const { id } = await endpoints.create({ url: `${address}/${mark}`, events: ["webhook.test"] });
  afterwards(() => endpoints.delete(id));
  return id;
}

/** To the first endpoint that is enabled; without one, to one that exists only for this. */
async function sendTest(playing: Playing): Promise<string> {
  const { endpoints } = playing.jara.webhooks;
  const known = await endpoints.list().toArray(100);
  const id = known.find(({ enabled }) => enabled)?.id ?? (await openEndpoint(playing, nowhere));
  await endpoints.sendTest(id);
  return id;
}

/** A receiver on this machine that says 410: gone. */
async function openGoneReceiver({ afterwards }: Playing): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  afterwards(async () => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}

const ownMachine = ["localhost", "127.0.0.1", "[::1]"];

async function sayGone(playing: Playing): Promise<string> {
  if (!ownMachine.includes(new URL(playing.baseUrl).hostname)) {
    const message =
      "This event needs a receiver that Jara can reach, and this machine is not Jara's. Run it against a local server.";
    throw new CliError(exitCodes.usage, message);
  }
  const id = await openEndpoint(playing, await openGoneReceiver(playing));
  await playing.jara.webhooks.endpoints.sendTest(id);
  return id;
}

export const webhookFlows: Readonly<Record<string, Flow>> = {
  "webhook.test": { what: "A test to your first endpoint that is enabled.", play: sendTest },
  "webhook.endpoint.disabled": { what: "An endpoint that says 410 to a test, and is gone afterwards.", play: sayGone },
};
