import type { Transfer, TransferStatus } from "@jara/sdk";
import { fillIn } from "../ask.ts";
import type { Given } from "../command.ts";
import type { Screen } from "../screen.ts";
import { moment, money, status } from "../words.ts";
import { amountQuestion, bankQuestions } from "./bank-questions.ts";
import { confirmPayout } from "./confirm-payout.ts";
import { placeOrder } from "./place-order.ts";
import { isId, readSome } from "./read-list.ts";

export interface NewPayout {
  readonly bank?: string;
  readonly account?: string;
  readonly amount?: string;
  readonly narration?: string;
  readonly reference?: string;
}

export async function createTransfer(
  given: Given,
  { wait, ...payout }: NewPayout & { readonly wait?: boolean },
): Promise<void> {
  const { jara } = given.connect();
  const { said, wasAsked } = await fillIn(given, payout, [...bankQuestions(jara), amountQuestion]);
  const meant = { bankCode: said.bank, accountNumber: said.account, amount: said.amount };
  const { narration, reference } = payout;
  // A script that gave every option knows what it does; a person who was asked sees name and fee first.
  const nameEnquiryReference = wasAsked ? await confirmPayout(given, meant, { isAgreed: false }) : undefined;
  await placeOrder(given, {
    ...payoutOrder(given.screen, reference),
    send: (own) => jara.transfers.create({ ...meant, narration, reference: own, nameEnquiryReference }),
    waitUntilFinal: wait === true ? (id) => jara.transfers.waitUntilFinal(id, { signal: given.stopped }) : undefined,
  });
}

/** What every payout has in common, whichever command makes it. */
export function payoutOrder(screen: Screen, reference: string | undefined) {
  const show = (made: Transfer): void => showTransfer(screen, made);
  return { group: "transfers", kind: "payout", reference, show } as const;
}

export async function list(
  { screen, connect }: Given,
  { status: wanted, limit }: { readonly status?: string; readonly limit: number },
): Promise<void> {
  const { jara } = connect();
  const query = wanted === undefined ? {} : { status: wanted as TransferStatus };
  const found = await readSome(jara.transfers.list(query), limit);
  const rows = found.map((one) => [
    moment(one.createdAt),
    status(screen, one.status),
    money(one.amount).padStart(14),
    one.bankName,
    one.accountNumber,
    one.reference,
  ]);
  const head = ["TIME", "STATUS", "NAIRA".padStart(14), "BANK", "ACCOUNT", "REFERENCE"];
  screen.records(found, { head, rows }, "No payouts yet. Make one: jara pay");
}

export async function show({ screen, connect }: Given, _options: object, name = ""): Promise<void> {
  const { transfers } = connect().jara;
  showTransfer(screen, await (isId(name) ? transfers.get(name) : transfers.getByReference(name)));
}

export function showTransfer(screen: Screen, transfer: Transfer): void {
  const { failureReason } = transfer;
  screen.record(transfer, [
    ["status", status(screen, transfer.status)],
    ["amount", `NGN ${money(transfer.amount)}`],
    ["debited", `NGN ${money(transfer.totalDebit)}`],
    ["to", `${transfer.accountName ?? ""} ${transfer.accountNumber} ${transfer.bankName}`.trim()],
    ["reference", transfer.reference],
    ["id", transfer.id],
    ["session", transfer.sessionId ?? ""],
    ["why", failureReason === null ? "" : `${failureReason.message} (${failureReason.code})`],
    ["time", moment(transfer.createdAt)],
  ]);
}
