/** Records by what a person has at hand. */
import type { Given } from "../command.ts";
import { moment, money, status } from "../words.ts";

export async function search({ screen, connect }: Given, _options: object, ...words: string[]): Promise<void> {
  const found = await connect().jara.search(words.join(" "));
  const rows = found.map((one) => [
    one.kind,
    moment(one.createdAt),
    one.status === null ? "" : status(screen, one.status),
    money(one.amount).padStart(14),
    one.title,
    one.subtitle,
    one.id,
  ]);
  const head = ["KIND", "TIME", "STATUS", "NAIRA".padStart(14), "TITLE", "ABOUT", "ID"];
  screen.records(found, { head, rows }, "Nothing found. Try a whole reference, an account number or an id.");
}
