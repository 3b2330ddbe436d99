import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { isPooled } from "./find-pooler.ts";

const { appUrl } = await createTestDatabase();
/** How PostgreSQL begins to tell a connection its process: a K, and a length of twelve. */
const telling = Buffer.from([0x4b, 0, 0, 0, 12]);

/** As pgbouncer does: the caller is told a number that is not PostgreSQL's. */
async function openPooler(): Promise<string> {
  const { port, hostname } = new URL(appUrl);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far);
    far.on("data", (bytes: Buffer) => {
      const place = bytes.indexOf(telling);
      if (place >= 0) bytes.writeUInt32BE(7, place + telling.length);
      near.write(bytes);
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  afterAll(() => void server.close());
  await once(server, "listening");
  const url = new URL(appUrl);
  url.port = String((server.address() as AddressInfo).port);
  return url.toString();
}

test("PostgreSQL itself is not a pooler", async () => {
  expect(await isPooled(appUrl)).toBe(false);
});

test("a pooler is known by the process that it tells", async () => {
  expect(await isPooled(await openPooler())).toBe(true);
});
