import type { Given } from "../command.ts";
import { moment, status } from "../words.ts";
import { readSome } from "./read-list.ts";

export async function list({ screen, connect }: Given, { limit }: { readonly limit: number }): Promise<void> {
  const found = await readSome(connect().jara.loans.bnpl.customers.list(), limit);
  const rows = found.map((one) => [
    moment(one.createdAt),
    `${one.firstName} ${one.lastName}`,
    one.phone,
    status(screen, one.kycStatus),
    one.hasLinkedCard ? "yes" : "no",
    one.id,
  ]);
  const head = ["SINCE", "NAME", "PHONE", "IDENTITY", "CARD", "ID"];
  screen.records(found, { head, rows }, "No customers yet. Buy something in the demo shop that npm start prints.");
}

export async function show({ screen, connect }: Given, _options: object, id = ""): Promise<void> {
  const { bnpl } = connect().jara.loans;
  const [customer, loans] = await Promise.all([bnpl.customers.get(id), bnpl.loans.listActive(id)]);
  if (screen.isJson) return screen.line(JSON.stringify({ ...customer, activeLoans: loans }, null, 2));
  screen.record(customer, [
    ["name", `${customer.firstName} ${customer.lastName}`],
    ["phone", customer.phone],
    ["e-mail", customer.email],
    ["identity", status(screen, customer.kycStatus)],
    ["card", customer.hasLinkedCard ? "linked" : "none"],
    ["loans out", String(loans.length)],
    ["yours", customer.externalId ?? ""],
    ["id", customer.id],
  ]);
}
