import { Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp } from "../platform/http/wire.ts";
import { type BankHealth, bankStatuses } from "./bank-health.ts";
import { AccountNumber, Amount, BankCode, Currency } from "./fields.ts";

export const banksData = Type.Array(
  named(
    "Bank",
    Type.Object({
      name: Type.String({ examples: ["Access Bank"] }),
      code: Type.String({ examples: ["044"] }),
      nipCode: Type.String({ examples: ["000014"] }),
      slug: Type.String({ examples: ["access-bank"] }),
      type: OneOf(["commercial", "microfinance", "mobile_money", "payment_service"]),
      active: Type.Boolean({ examples: [true] }),
    }),
  ),
);

export const healthQuery = Type.Object({ bankCode: Type.Optional(BankCode) });

export const healthData = Type.Array(
  named(
    "BankHealth",
    Type.Object({
      bankCode: Type.String({ examples: ["044"] }),
      nipCode: Type.String({ examples: ["000014"] }),
      bankName: Type.String({ examples: ["Access Bank"] }),
      status: OneOf(bankStatuses),
      successRate: Nullable(
        Type.Number({ description: "Share of the sample that was paid; null without one.", examples: [0.9875] }),
      ),
      sampleSize: Type.Integer({
        description: "Payouts of the last hour that say something about the bank.",
        examples: [160],
      }),
      medianSeconds: Nullable(
        Type.Number({
          description: "Half of the paid payouts took no longer than this; null when none was paid.",
          examples: [0.42],
        }),
      ),
      lastCheckedAt: Timestamp,
    }),
  ),
);

export const enquiryQuery = Type.Object({ bankCode: BankCode, accountNumber: AccountNumber });

export const enquiryData = named(
  "NameEnquiry",
  Type.Object({
    accountNumber: Type.String({ examples: ["0690000032"] }),
    accountName: Type.String({ examples: ["ADAEZE NGOZI OKAFOR"] }),
    bankCode: Type.String({ examples: ["044"] }),
    bankName: Type.String({ examples: ["Access Bank"] }),
    nameEnquiryReference: Type.String({ description: "Send it along with the payout.", examples: ["AQJ0pZ3kq1…"] }),
    expiresAt: Timestamp,
  }),
);

export const feeQuery = Type.Object({ amount: Amount, currency: Type.Optional(Currency) });

export const feeData = named(
  "TransferFee",
  Type.Object(
    {
      amount: NairaNumber,
      fee: NairaNumber,
      vat: NairaNumber,
      stampDuty: NairaNumber,
      totalFee: NairaNumber,
      totalDebit: NairaNumber,
      currency: Currency,
    },
    {
      examples: [
        { amount: 10_000, fee: 25, vat: 1.88, stampDuty: 50, totalFee: 76.88, totalDebit: 10_076.88, currency: "NGN" },
      ],
    },
  ),
);

export function presentHealth({ bank, lastCheckedAt, ...health }: BankHealth) {
  return {
    bankCode: bank.code,
    nipCode: bank.nipCode,
    bankName: bank.name,
    ...health,
    lastCheckedAt: lastCheckedAt.toISOString(),
  };
}
