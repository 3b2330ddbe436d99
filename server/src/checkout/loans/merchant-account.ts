/** The account that a checkout loan is paid to: the merchant's. Its bank is asked who holds it before a loan is made. */
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { BankRails } from "../../rails/desk.ts";
import type { NubanCheck } from "../../rails/nuban.ts";
import { resolveHolder } from "../../transfers/names/name-enquiry.ts";
import { checkNuban, requireBank } from "../../transfers/payouts/payout-rules.ts";

export interface MerchantAccount {
  /** The CBN code. */
  readonly bankCode: string;
  readonly bankAccountNo: string;
  readonly bankName: string;
  readonly accountName: string;
}

export interface AccountDependencies {
  readonly rails: BankRails;
  readonly nubanCheck: NubanCheck;
}

/**
 * Asks the bank, so no transaction may be open. Throws unknown_bank, account_number_invalid, account_not_found,
 * bank_unavailable or rail_not_configured.
 */
export async function resolveMerchantAccount(
  { rails, nubanCheck }: AccountDependencies,
  { environmentId, kind }: { readonly environmentId: string; readonly kind: EnvironmentKind },
  { bankCode, bankAccountNo }: Pick<MerchantAccount, "bankCode" | "bankAccountNo">,
): Promise<MerchantAccount> {
  const bank = requireBank(bankCode, kind, "bank_code");
  checkNuban(nubanCheck, bank, bankAccountNo);
  const question = { environmentId, bank, accountNumber: bankAccountNo };
  const { accountName } = await resolveHolder(rails, { environmentId, kind }, question);
  return { bankCode: bank.code, bankAccountNo, bankName: bank.name, accountName };
}
