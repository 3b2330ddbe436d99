/** A payout step by step: bank, account, the holder's name, the fee, and only then the money. */
import type { Bank, NameEnquiry } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { money } from "../words.ts";
import { newReference } from "./read-list.ts";
import { showTransfer } from "./transfers.ts";

interface Wanted {
  readonly bank?: string;
  readonly account?: string;
  readonly amount?: string;
  readonly narration?: string;
  readonly reference?: string;
  readonly yes?: boolean;
}

interface Complete extends Wanted {
  readonly bank: string;
  readonly account: string;
  readonly amount: string;
}

export async function pay(given: Given, wanted: Wanted): Promise<void> {
  const { jara } = given.connect();
  const complete = await fillIn(given, jara, wanted);
  const { bank: bankCode, account: accountNumber, amount, narration, reference = newReference("payout") } = complete;
  const [name, fee] = await Promise.all([
    jara.transfers.enquireName({ bankCode, accountNumber }),
    jara.transfers.estimateFee({ amount }),
  ]);
  given.screen.remark(`${name.accountName}, ${name.bankName}`);
  given.screen.remark(`NGN ${money(fee.amount)} and NGN ${money(fee.totalFee)} for it: NGN ${money(fee.totalDebit)}`);
  if (wanted.yes !== true && !(await confirmed(given, name, fee.totalDebit))) {
    throw new CliError(exitCodes.usage, "Nothing was paid.");
  }
  const { nameEnquiryReference } = name;
  const sent = await jara.transfers.create({
    bankCode,
    accountNumber,
    amount,
    narration,
    reference,
    nameEnquiryReference,
  });
  showTransfer(given.screen, await jara.transfers.waitUntilFinal(sent.id, { signal: given.stopped }));
}

function isComplete(wanted: Wanted): wanted is Complete {
  return wanted.bank !== undefined && wanted.account !== undefined && wanted.amount !== undefined;
}

async function fillIn(given: Given, jara: Connection["jara"], wanted: Wanted): Promise<Complete> {
  if (isComplete(wanted)) return wanted;
  refuseWithoutTerminal(given, "Give --bank, --account and --amount");
  const { autocomplete, text } = await import("@clack/prompts");
  const bank =
    wanted.bank ??
    (await answer(autocomplete({ message: "Bank", options: optionsOf(await jara.transfers.listBanks()) })));
  const account =
    wanted.account ??
    (await answer(
      text({
        message: "Account number",
        validate: (typed) => (/^\d{10}$/.test(typed ?? "") ? undefined : "Ten digits."),
      }),
    ));
  const amount =
    wanted.amount ??
    (await answer(
      text({
        message: "Naira",
        validate: (typed) => (/^\d+(\.\d{1,2})?$/.test(typed ?? "") ? undefined : "Such as 2500 or 2500.50."),
      }),
    ));
  return { ...wanted, bank, account, amount };
}

function optionsOf(banks: readonly Bank[]) {
  return banks.filter(({ active }) => active).map(({ name, code }) => ({ value: code, label: name, hint: code }));
}

async function confirmed(given: Given, { accountName }: NameEnquiry, total: number): Promise<boolean> {
  refuseWithoutTerminal(given, "Add --yes to pay without being asked");
  const { confirm } = await import("@clack/prompts");
  return answer(confirm({ message: `Pay NGN ${money(total)} for ${accountName}?` }));
}

function refuseWithoutTerminal({ screen, input }: Given, cure: string): void {
  if (screen.isTerminal && input.isTTY === true && !screen.isJson) return;
  throw new CliError(exitCodes.usage, `There is no terminal to ask at. ${cure}.`);
}

/** Without the symbol that stands for Ctrl-C. */
async function answer<T>(asked: Promise<T>): Promise<Exclude<T, symbol>> {
  const given = await asked;
  if (typeof given !== "symbol") return given as Exclude<T, symbol>;
  throw new CliError(exitCodes.usage, "Nothing was paid.");
}
