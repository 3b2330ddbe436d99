/**
 * The question that Paystack asks before it pays, where the operator has switched it on: is this transfer yours? The
 * body is not documented. Integrators saw a bare transfer, a transfer under `data`, and a list under `data.transfers`.
 */
import type { ApprovalQuestion, HookRequest } from "../provider.ts";
import { isRecord, koboOf, recordAt, textOf } from "../wire-json.ts";
import { readSigned } from "./webhook.ts";

/** Null when the request is forged, or when any transfer in it cannot be read. */
export function readApproval(secretKey: string, request: HookRequest): readonly ApprovalQuestion[] | null {
  const body = readSigned(secretKey, request);
  if (body === undefined) return null;
  const questions: ApprovalQuestion[] = [];
  for (const transfer of transfersIn(body)) {
    const question = questionIn(transfer);
    if (question === undefined) return null;
    questions.push(question);
  }
  return questions.length === 0 ? null : questions;
}

function transfersIn(body: unknown): readonly unknown[] {
  const { data = body } = recordAt(body);
  const { transfers } = recordAt(data);
  if (transfers !== undefined) return Array.isArray(transfers) ? transfers : [];
  return Array.isArray(data) ? data : [data];
}

function questionIn(transfer: unknown): ApprovalQuestion | undefined {
  if (!isRecord(transfer)) return undefined;
  const sessionId = textOf(transfer.reference);
  const amount = koboOf(transfer.amount);
  if (sessionId === undefined || amount === undefined) return undefined;
  return { sessionId, amount, accountNumber: accountIn(transfer) };
}

function accountIn(transfer: unknown): string | null {
  const places = [recordAt(transfer, "recipient", "details"), recordAt(transfer, "recipient"), recordAt(transfer)];
  for (const place of places) {
    const found = textOf(place.account_number);
    if (found !== undefined) return found;
  }
  return null;
}
