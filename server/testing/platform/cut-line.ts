/** A line to PostgreSQL that a test can cut, or let lead into a black hole, and mend. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CutLine {
  /** The same database, reached through the line. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Nothing comes through any more and nothing breaks: connections stay, new ones are taken, nobody answers. */
  swallow(): void;
  mend(): Promise<void>;
}

export async function createCutLine(databaseUrl: string): Promise<CutLine> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let swallowing = false;
  const track = (socket: Socket, other: Socket): void => {
    open.add(socket);
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      open.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    track(near, far);
    track(far, near);
    near.pipe(far);
    far.pipe(near);
    if (swallowing) far.pause();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.unref();
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.toString(),
    async cut() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    swallow() {
      swallowing = true;
      for (const socket of open) socket.pause();
    },
    async mend() {
      if (swallowing) {
        swallowing = false;
        for (const socket of open) socket.resume();
        return;
      }
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      server.unref();
    },
  };
}
