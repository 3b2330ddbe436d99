/**
 * The question that Paystack asks before it pays, where the operator has switched it on: is this transfer yours? The
 * body is not documented. Integrators saw a bare transfer, a transfer under `data`, and a list under `data.transfers`.
 */
import type { ApprovalQuestion, HookRequest } from "../provider.ts";
import { nipCodeOfBank, type ProviderBanks } from "../provider-banks.ts";
import { isRecord, koboOf, recordAt, textOf } from "../wire-json.ts";
import { readSigned } from "./webhook.ts";

/** As Paystack names it. */
interface NamedTransfer extends Omit<ApprovalQuestion, "nipCode"> {
  readonly bankCode: string;
}

/** Null when the request is forged, or when any transfer in it does not name reference, amount, account and bank. */
export async function readApproval(
  secretKey: string,
  banks: ProviderBanks,
  request: HookRequest,
): Promise<readonly ApprovalQuestion[] | null> {
  const questions: ApprovalQuestion[] = [];
  for (const { bankCode, ...named } of readTransfers(secretKey, request) ?? []) {
    const nipCode = await nipCodeOfBank(banks, bankCode);
    if (nipCode === undefined) return null;
    questions.push({ ...named, nipCode });
  }
  return questions.length === 0 ? null : questions;
}

export function readTransfers(secretKey: string, request: HookRequest): readonly NamedTransfer[] | null {
  const body = readSigned(secretKey, request);
  if (body === undefined) return null;
  const named: NamedTransfer[] = [];
  for (const transfer of transfersIn(body)) {
    const found = nameIn(transfer);
    if (found === undefined) return null;
    named.push(found);
  }
  return named.length === 0 ? null : named;
}

function transfersIn(body: unknown): readonly unknown[] {
  const { data = body } = recordAt(body);
  const { transfers } = recordAt(data);
  // A transfer beside the place that is read would be approved unseen.
  if (data !== body && namesTransfers(body)) return [];
  if (transfers !== undefined) return Array.isArray(transfers) ? transfers : [];
  return Array.isArray(data) ? data : [data];
}

function namesTransfers(body: unknown): boolean {
  const { transfers, reference } = recordAt(body);
  return transfers !== undefined || reference !== undefined;
}

function nameIn(transfer: unknown): NamedTransfer | undefined {
  if (!isRecord(transfer)) return undefined;
  const sessionId = textOf(transfer.reference);
  const amount = koboOf(transfer.amount);
  const account = accountIn(transfer);
  const { currency = "NGN" } = transfer;
  if (sessionId === undefined || amount === undefined || account === undefined || currency !== "NGN") return undefined;
  return { sessionId, amount, ...account };
}

/** Number and bank from the same place: two halves of two accounts are none, and two accounts are none either. */
function accountIn(transfer: unknown): Pick<NamedTransfer, "accountNumber" | "bankCode"> | undefined {
  const places = [recordAt(transfer, "recipient", "details"), recordAt(transfer, "recipient"), recordAt(transfer)];
  const place = places.find(({ account_number: number }) => textOf(number) !== undefined);
  const [accountNumber, bankCode] = [textOf(place?.account_number), textOf(place?.bank_code)];
  if (accountNumber === undefined || bankCode === undefined) return undefined;
  const agrees = (named: unknown, ours: string) => named === undefined || named === null || textOf(named) === ours;
  const agree = places.every(
    ({ account_number, bank_code }) => agrees(account_number, accountNumber) && agrees(bank_code, bankCode),
  );
  return agree ? { accountNumber, bankCode } : undefined;
}
