/** A listener while its server is killed: it waits, and what was sent again before the kill comes after it. */
import { afterAll, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { answering, createReceiver, type Manner } from "../../server/testing/webhooks/webhook-receiver.ts";
import { eventually } from "../../server/testing/work.ts";
import { childOf, connectTo, makeHome, startServer, stopServer } from "../e2e/server-process.ts";
import { createJara } from "./jara-process.ts";

const patienceMs = 60_000;
const away: Manner = (reply) => void reply.socket?.destroy();

test("a resend survives kill -9 of the server, and comes once", async () => {
  const home = makeHome();
  const environment = { JARA_HOME: home, PORT: String(await findFreePort()) };
  const victim = startServer(environment);
  await victim.ready;
  const sdk = connectTo(victim, home);
  const application = await createReceiver(away);
  const jara = createJara({ JARA_HOME: home });
  const running = jara.start("listen", "--forward-to", application.url);
  afterAll(() => running.child.kill("SIGKILL"));
  await running.says("Listening to");
  await sdk.sandbox.wallets.fund({ amount: 5_000 });
  await running.says("is away");
  const [event] = await sdk.events.list({ event: "wallet.credited" }).toArray();
  await sdk.events.redeliver(event?.id ?? "");
  process.kill(childOf(victim.child.pid), "SIGKILL");
  await victim.exit;
  application.received.length = 0;
  application.behave(answering(200));
  await eventually("the event came", () => application.received.length === 1, patienceMs);
  await running.says("The server is away", patienceMs);
  const heir = startServer(environment);
  await heir.ready;
  await eventually("the resend came", () => application.received.length === 2, patienceMs);
  await running.says("sent again");
  expect(application.received.map(({ headers }) => headers["webhook-id"])).toEqual([event?.id, event?.id]);
  expect(application.received[1]?.body).toBe(application.received[0]?.body);
  running.child.kill("SIGINT");
  expect((await running.ended()).code).toBe(0);
  await stopServer(heir);
});
