/**
 * A line to PostgreSQL with latency, as to a database in another zone: every reply arrives `delayMs` later. It counts
 * the round trips of all its connections: how often something is sent after a reply.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SlowLine {
  /** The same database, reached through the line. */
  readonly url: string;
  /** Since the line was made. */
  roundTrips(): number;
  close(): void;
}

export async function createSlowLine(databaseUrl: string, delayMs: number): Promise<SlowLine> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let roundTrips = 0;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    let isAnswered = true;
    near.on("data", (sent) => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
      far.write(sent);
    });
    far.on("data", (reply) => {
      // Timers of one length keep their order.
      setTimeout(() => {
        isAnswered = true;
        near.write(reply);
      }, delayMs);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        setTimeout(() => other.destroy(), delayMs);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    roundTrips: () => roundTrips,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
