import { once } from "node:events";
import { createServer } from "node:net";

/** A port of this machine that nobody listens at now. Rejects when a wanted one is taken. */
export async function findFreePort(wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("the probe has no port");
  return address.port;
}
