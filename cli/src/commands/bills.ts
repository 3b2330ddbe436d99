import type { Bill, BillStatus } from "@jara/sdk";
import type { Given } from "../command.ts";
import type { Screen } from "../screen.ts";
import { moment, money, status } from "../words.ts";
import { isId, readSome } from "./read-list.ts";

export async function list(
  { screen, connect }: Given,
  { status: wanted, limit }: { readonly status?: string; readonly limit: number },
): Promise<void> {
  const query = wanted === undefined ? {} : { status: wanted as BillStatus };
  const found = await readSome(connect().jara.bills.list(query), limit);
  const rows = found.map((one) => [
    moment(one.createdAt),
    status(screen, one.status),
    money(one.amount).padStart(12),
    one.product.name,
    one.customer.identifier,
    one.reference,
  ]);
  const head = ["TIME", "STATUS", "NAIRA".padStart(12), "WHAT", "FOR", "REFERENCE"];
  const empty = "No bills yet. Buy one: jara bills airtime --network MTN --phone 08031234567 --amount 500";
  screen.records(found, { head, rows }, empty);
}

export async function show({ screen, connect }: Given, _options: object, name = ""): Promise<void> {
  const { bills } = connect().jara;
  showBill(screen, await (isId(name) ? bills.get(name) : bills.getByReference(name)));
}

export function showBill(screen: Screen, bill: Bill): void {
  const { failureReason } = bill;
  screen.record(bill, [
    ["status", status(screen, bill.status)],
    ["what", bill.product.name],
    ["for", `${bill.customer.identifier} ${bill.customer.name ?? ""}`.trim()],
    ["amount", `NGN ${money(bill.amount)}`],
    ["debited", `NGN ${money(bill.totalDebited)}`],
    ["commission", `NGN ${money(bill.commission)}`],
    ["token", bill.token ?? ""],
    ["reference", bill.reference],
    ["id", bill.id],
    ["why", failureReason === null ? "" : `${failureReason.message} (${failureReason.code})`],
    ["time", moment(bill.createdAt)],
  ]);
}
