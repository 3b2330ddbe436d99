import type { Given } from "../command.ts";
import { refuseLive } from "../connection.ts";
import { moment } from "../words.ts";
import { readSome } from "./read-list.ts";

export async function listMessages(
  { screen, connect }: Given,
  { to, limit }: { readonly to?: string; readonly limit: number },
): Promise<void> {
  const connection = connect();
  refuseLive(connection, "jara messages");
  const query = to === undefined ? {} : { to };
  const found = await readSome(connection.jara.sandbox.messages.list(query), limit);
  const rows = found.map((one) => [moment(one.createdAt), one.to, one.text]);
  screen.records(found, { head: ["TIME", "TO", "TEXT"], rows }, "No messages were sent yet.");
}
