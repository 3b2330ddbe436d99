import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { Id, NairaNumber, Nullable, OneOf, PathId, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { spanFields } from "../platform/time/time-span.ts";
import type { Movement } from "./movement.ts";
import { exampleLine, presentLine } from "./statement-line.ts";
import { virtualAccountBank, type Wallet, type WalletBalance } from "./wallet.ts";

const walletId = "01932c60-1d2e-7a3b-8c4d-5e6f70819203";
const otherWalletId = "01932c60-9a8b-7c6d-9e0f-a1b2c3d4e5f6";
const movementId = "01932c61-2b3c-7d4e-8f50-617283940a5b";
const moment = "2026-11-03T09:15:00.000Z";

/** Far above any payment, and far below what an account could not count any more. */
const largest = 10_000_000_000;

const amount = Type.Number({
  format: "naira",
  exclusiveMinimum: 0,
  maximum: largest,
  description: "Naira with at most two decimals.",
  examples: [25_000],
});

const reference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Yours, and used once: the same reference with the same content is the same movement.",
  examples: ["settle-2026-11-03"],
});

/** Another merchant's id, or what is not an id, is not found. */
const accountId = Id("The id of the main wallet or of a sub-account.");

const accountNumber = Type.String({
  pattern: "^[0-9]{10}$",
  description: "A virtual account number: payments to it arrive here.",
  examples: ["4027719385"],
});

export const accountParams = Type.Object({ accountId: PathId });
export const balanceQuery = Type.Object({ accountId: Type.Optional(accountId) });
export const statementQuery = Type.Object({
  accountId: Type.Optional(accountId),
  ...spanFields,
  ...pageQuery.properties,
});

export const openSubAccountBody = named(
  "NewSubAccount",
  Type.Object(
    {
      accountName: Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "What payers see." }),
      externalId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: "Your own id for it; the same id opens it only once.",
        }),
      ),
    },
    { examples: [{ accountName: "Mama Put Ikeja", externalId: "branch-ikeja" }] },
  ),
);

export const moveBody = named(
  "NewWalletTransfer",
  Type.Object(
    { from: accountId, to: accountId, amount, reference },
    { examples: [{ from: walletId, to: otherWalletId, amount: 25_000, reference: "settle-2026-11-03" }] },
  ),
);

export const fundBody = Type.Object(
  { amount, accountId: Type.Optional(accountId) },
  { examples: [{ amount: 50_000 }] },
);

export const creditBody = named(
  "NewCredit",
  Type.Object(
    {
      accountNumber,
      amount,
      senderName: Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Who pays." }),
    },
    { examples: [{ accountNumber: "4027719385", amount: 12_500, senderName: "Ada Obi" }] },
  ),
);

export const correctionBody = named(
  "WalletCorrection",
  Type.Object(
    {
      amount,
      reference,
      reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "Shown on the statement." }),
    },
    { examples: [{ amount: 500_000, reference: "bank-inflow-8812", reason: "Inflow of 3 November, session 8812" }] },
  ),
);

export const subAccountExample = {
  id: walletId,
  accountName: "Mama Put Ikeja",
  accountNumber: "4027719385",
  bankName: virtualAccountBank,
  balance: 25_000.5,
  externalId: "branch-ikeja",
  createdAt: moment,
};

export const subAccountData = named(
  "SubAccount",
  Type.Object(
    {
      id: Uuid,
      accountName: Type.String(),
      accountNumber,
      bankName: Type.String({ description: "The bank that a payer chooses for the account number." }),
      balance: NairaNumber,
      externalId: Nullable(Type.String({ description: "Your own id for it, if you gave one." })),
      createdAt: Timestamp,
    },
    { examples: [subAccountExample] },
  ),
);

export const balanceData = named(
  "Wallet",
  Type.Object(
    {
      accountId: Uuid,
      available: Type.Number({ description: "What can be spent." }),
      held: Type.Number({ description: "Committed to payouts and bills that are not final; comes back if they fail." }),
      currency: OneOf(["NGN"]),
    },
    { examples: [{ accountId: walletId, available: 974_973.12, held: 25_026.88, currency: "NGN" }] },
  ),
);

export const lineData = named(
  "WalletTransaction",
  Type.Object(
    {
      id: Uuid,
      accountId: Uuid,
      type: Type.String({ description: "What happened, such as `transfer.held` or `wallet.credited`." }),
      direction: OneOf(["debit", "credit"]),
      amount: NairaNumber,
      balanceAfter: NairaNumber,
      currency: OneOf(["NGN"]),
      narration: Nullable(Type.String()),
      resource: Type.Object({ type: Type.String(), id: Uuid, reference: Nullable(Type.String()) }),
      createdAt: Timestamp,
    },
    {
      examples: [presentLine(exampleLine)],
    },
  ),
);

export const movementData = named(
  "WalletTransfer",
  Type.Object(
    {
      id: Uuid,
      reference: Type.String(),
      from: Uuid,
      to: Uuid,
      amount: NairaNumber,
      currency: OneOf(["NGN"]),
      createdAt: Timestamp,
    },
    {
      examples: [
        {
          id: movementId,
          reference: "settle-2026-11-03",
          from: walletId,
          to: otherWalletId,
          amount: 25_000,
          currency: "NGN",
          createdAt: moment,
        },
      ],
    },
  ),
);

export function presentSubAccount(wallet: Wallet, balance: WalletBalance["available"]): Static<typeof subAccountData> {
  return {
    id: wallet.id,
    accountName: wallet.accountName,
    accountNumber: wallet.accountNumber,
    bankName: wallet.provided?.bankName ?? virtualAccountBank,
    balance: nairaNumber(balance),
    externalId: wallet.externalId,
    createdAt: wallet.createdAt.toISOString(),
  };
}

export function presentBalance(balance: WalletBalance): Static<typeof balanceData> {
  const { accountId: id, available, held } = balance;
  return { accountId: id, available: nairaNumber(available), held: nairaNumber(held), currency: "NGN" };
}

export function presentMovement(movement: Movement): Static<typeof movementData> {
  const { id, reference: own, from, to, createdAt } = movement;
  if (own === null || from === null || to === null) throw new Error(`${id} is not a move between own accounts`);
  const shared = { amount: nairaNumber(movement.amount), currency: "NGN" as const };
  return { id, reference: own, from, to, ...shared, createdAt: createdAt.toISOString() };
}
