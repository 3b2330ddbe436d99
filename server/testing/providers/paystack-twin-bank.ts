/** Transfers at Paystack's twin: banks, account names, recipients, transfers, balance. */
import { listBanks } from "../../src/rails/bank-directory.ts";
import { granted, type PaystackAccount, refused } from "./paystack-twin-account.ts";
import { feeOf, type PaystackBankBooks, plainTransfer, wholeRecipient, wholeTransfer } from "./paystack-twin-books.ts";
import { paystackTransferLists } from "./paystack-twin-lists.ts";
import type { TwinRoutes } from "./twin.ts";
import type { TwinReply, TwinRequest } from "./twin-wire.ts";

export function paystackBankRoutes(account: PaystackAccount, books: PaystackBankBooks): TwinRoutes {
  return {
    ...paystackTransferLists(account, books),
    "GET /bank": (request) => banks(books, request),
    "GET /bank/resolve": (request) => resolve(account, books, request),
    "POST /transferrecipient": (request) => createRecipient(account, books, request),
    "POST /transfer": (request) => createTransfer(account, books, request),
    "POST /transfer/disable_otp": () =>
      books.outcome === "otp"
        ? granted("OTP has been sent to mobile number ending with 4321", undefined)
        : refused(400, "OTP requirement for transfers is already disabled"),
    "GET /transfer/verify/:reference": ({ params }) => {
      const transfer = books.transfers.get(params.reference ?? "");
      if (transfer === undefined) return refused(404, "Transfer not found");
      return granted("Transfer retrieved", wholeTransfer(account, transfer));
    },
    "GET /balance": () => granted("Balances retrieved", [{ currency: "NGN", balance: account.balance() }]),
  };
}

function banksOf({ missingBanks }: PaystackBankBooks) {
  return listBanks("LIVE").filter(({ code }) => !missingBanks.has(code));
}

function banks(books: PaystackBankBooks, { query }: TwinRequest): TwinReply {
  const perPage = Math.min(Number(query.get("perPage") ?? 50), 100);
  const from = Number(query.get("next") ?? 0);
  const all = banksOf(books);
  const hasNip = books.hasNipCodes && query.get("include_nip_sort_code") === "true";
  const data = all.slice(from, from + perPage).map(({ name, code, nipCode }, index) => ({
    id: from + index + 1,
    name,
    code,
    longcode: `${code}150000`,
    active: true,
    is_deleted: false,
    country: "Nigeria",
    currency: "NGN",
    type: "nuban",
    ...(hasNip ? { nip_sort_code: nipCode } : {}),
  }));
  const next = from + perPage < all.length ? String(from + perPage) : null;
  return granted("Banks retrieved", data, { next, previous: null, perPage });
}

function holderOf(accountNumber: string): string {
  return `ADAEZE OKAFOR ${accountNumber.slice(-4)}  `;
}

const nobody = "0000000000";

function resolve(account: PaystackAccount, books: PaystackBankBooks, { query }: TwinRequest): TwinReply {
  const number = query.get("account_number") ?? "";
  const code = query.get("bank_code") ?? "";
  const isKnown = banksOf(books).some((bank) => bank.code === code);
  if (!isKnown) return refused(400, `Unknown bank code: ${code}`, "invalid_params");
  const couldNot = "Could not resolve account name. Check parameters or try again.";
  const isNobody = account.domain === "live" && number === nobody;
  if (!/^\d{10}$/.test(number) || isNobody) return refused(422, couldNot, "invalid_bank_code");
  return granted("Account number resolved", { account_number: number, account_name: holderOf(number), bank_id: 9 });
}

function createRecipient(account: PaystackAccount, books: PaystackBankBooks, { body }: TwinRequest): TwinReply {
  const { type, name, account_number: accountNumber, bank_code: bankCode, currency } = body;
  if (type !== "nuban" || currency !== "NGN") return refused(400, "Recipient type is invalid", "invalid_params");
  if (typeof name !== "string" || name === "") return refused(400, "Name is required", "missing_params");
  const isKnown = typeof bankCode === "string" && banksOf(books).some(({ code }) => code === bankCode);
  if (!isKnown) return refused(400, "Bank is invalid", "invalid_bank_code");
  const isNumber = typeof accountNumber === "string" && /^\d{10}$/.test(accountNumber);
  const isNobody = account.domain === "live" && accountNumber === nobody;
  if (!isNumber || isNobody) return refused(400, "Account number is invalid", "invalid_params");
  const recipient = books.keepRecipient({ name, accountNumber, bankCode });
  return { ...granted("Transfer recipient created successfully", wholeRecipient(account, recipient)), status: 201 };
}

function createTransfer(account: PaystackAccount, books: PaystackBankBooks, { body }: TwinRequest): TwinReply {
  const { source, amount, recipient, reference, reason = "", currency = "NGN" } = body;
  const known = typeof recipient === "string" ? books.recipients.get(recipient) : undefined;
  if (source !== "balance" || currency !== "NGN") return refused(400, "Source is invalid", "invalid_params");
  if (typeof amount !== "number" || !Number.isSafeInteger(amount) || amount <= 0) {
    return refused(400, "Amount is invalid", "invalid_params");
  }
  if (known === undefined) return refused(400, "Recipient specified is invalid", "invalid_transfer_recipient");
  if (typeof reference !== "string" || !/^[a-z0-9_-]{16,50}$/.test(reference)) {
    return refused(400, "Transfer reference contains illegal characters", "invalid_params");
  }
  if (books.transfers.has(reference)) {
    const unique = "Please provide a unique reference. Reference already exists on a transfer";
    return refused(books.duplicateStatus, unique, "duplicate_transfer_reference");
  }
  if (account.balance() < amount + feeOf(amount)) {
    return refused(400, "Your balance is not enough to fulfil this request");
  }
  const transfer = books.take({ reference, amount, recipient: known, reason: String(reason) });
  return granted("Transfer has been queued", plainTransfer(account, transfer));
}
