/**
 * The holder of an account. The answer comes with a sealed reference: a caller who sends it within half an hour
 * need not ask the bank a second time, and it is good for that account in that environment only.
 */
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { Bank } from "../../rails/bank-directory.ts";
import { type BankRails, openRail, type RailUser } from "../../rails/desk.ts";

export const nameProblems = {
  account_not_found: {
    status: 404,
    cause: "The bank has no account with this number.",
    cure: "Check the number and the bank code.",
  },
  name_enquiry_invalid: {
    status: 422,
    cause: "The nameEnquiryReference has expired or belongs to another account.",
    cure: "Ask GET /transfers/name-enquiry again.",
  },
  bank_unavailable: {
    status: 503,
    cause: "The bank does not answer at the moment.",
    cure: "Nothing was taken; retry later or see GET /transfers/bank/health.",
    retryAfter: true,
  },
} as const satisfies ProblemCatalogue;

export const nameProblem = problemsFrom(nameProblems);

export interface AccountHolder {
  readonly accountNumber: string;
  readonly accountName: string;
  /** The CBN code of the bank. */
  readonly bankCode: string;
}

export interface NameEnquiry extends AccountHolder {
  readonly nameEnquiryReference: string;
  readonly expiresAt: Date;
}

const validForMs = 30 * 60_000;

export interface EnquiryRequest {
  readonly environmentId: string;
  readonly bank: Bank;
  readonly accountNumber: string;
}

/** Asks the bank. Never returns an empty name. */
export async function resolveHolder(rails: BankRails, user: RailUser, request: EnquiryRequest): Promise<AccountHolder> {
  const { environmentId, bank, accountNumber } = request;
  const { rail } = await openRail(rails.bank, user);
  const answer = await rail.resolveAccount({ environmentId, nipCode: bank.nipCode, accountNumber });
  if (answer.found === "no") throw nameProblem("account_not_found");
  if (answer.found === "unavailable" || answer.accountName.trim() === "") {
    throw nameProblem("bank_unavailable", { headers: { "retry-after": "30" } });
  }
  return { accountNumber, accountName: answer.accountName, bankCode: bank.code };
}

/** Seals an answer so that it can come back with the payout. `now` is the environment's time. */
export function sealEnquiry(sealer: Sealer, environmentId: string, holder: AccountHolder, now: Date): NameEnquiry {
  const expiresAt = new Date(now.getTime() + validForMs);
  const content = JSON.stringify([holder.bankCode, holder.accountNumber, holder.accountName, expiresAt.getTime()]);
  const sealed = sealer.seal(content, contextOf(environmentId));
  return { ...holder, expiresAt, nameEnquiryReference: sealed.toString("base64url") };
}

/** Opens a reference that was given out for this account; the caller checks when it expires. */
export function openEnquiry(
  sealer: Sealer,
  request: EnquiryRequest,
  reference: string,
): { accountName: string; expiresAt: Date } {
  const [bankCode, accountNumber, accountName, expires] = readSealed(sealer, request.environmentId, reference);
  if (bankCode !== request.bank.code || accountNumber !== request.accountNumber) {
    throw nameProblem("name_enquiry_invalid");
  }
  return { accountName, expiresAt: new Date(expires) };
}

function readSealed(sealer: Sealer, environmentId: string, reference: string): [string, string, string, number] {
  try {
    const opened = sealer.open(Buffer.from(reference, "base64url"), contextOf(environmentId));
    return JSON.parse(opened.toString("utf8"));
  } catch (cause) {
    throw nameProblem("name_enquiry_invalid", { cause });
  }
}

function contextOf(environmentId: string): string {
  return `name-enquiry/${environmentId}`;
}
