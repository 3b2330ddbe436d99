/** What a merchant asks before it pays: which banks, how they are, whose account, what it costs. */

import { Type } from "typebox";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { NairaNumber, Nullable, OneOf, readNaira, Timestamp } from "../../platform/http/wire.ts";
import { bankSlug, listBanks } from "../../rails/bank-directory.ts";
import { resolveHolder, sealEnquiry } from "../names/name-enquiry.ts";
import { namesMatch } from "../names/name-match.ts";
import type { TransferDependencies } from "../payouts/create-transfer.ts";
import { AccountName, AccountNumber, Amount, BankCode, Currency } from "../payouts/fields.ts";
import {
  checkNuban,
  checkPayout,
  nubanWarning,
  nubanWarningHeader,
  payoutRules,
  requireBank,
} from "../payouts/payout-rules.ts";
import { chargeFor, tariffAt, totalDebit, totalFee } from "../tariff/tariff.ts";
import { type BankHealth, bankStatuses, type ReadBankHealth } from "./bank-health.ts";

const common = { method: "GET", tag: "Transfers", scope: "transfers:read" } as const;

export function discoveryRoutes(deps: TransferDependencies, readHealth: ReadBankHealth): Route[] {
  return [banksRoute(), healthRoute(readHealth), nameEnquiryRoute(deps), feeRoute(deps)];
}

function banksRoute(): Route {
  return describeRoute("key", {
    ...common,
    path: "/transfers/banks",
    operationId: "listBanks",
    summary: "List banks",
    description: "Every bank that payouts can reach. Both code and nipCode are accepted wherever a bank code is.",
    reply: { status: 200, message: "Banks retrieved.", data: banksData },
    handle: async ({ caller }) => ({
      data: listBanks(caller.kind).map((bank) => ({
        name: bank.name,
        code: bank.code,
        nipCode: bank.nipCode,
        slug: bankSlug(bank),
        type: bank.type,
        active: true,
      })),
    }),
  });
}

function healthRoute(readHealth: ReadBankHealth): Route {
  return describeRoute("key", {
    ...common,
    path: "/transfers/bank/health",
    operationId: "listBankHealth",
    summary: "See how banks are doing",
    description:
      "By the outcomes of your payouts of the last hour: paid, refused by the bank, or unanswered for a minute. A bank is degraded when fewer than nine in ten were paid or half took over 30 s, down when fewer than half were paid; below three outcomes it counts as up.",
    query: healthQuery,
    reply: { status: 200, message: "Bank health retrieved.", data: healthData },
    problems: ["unknown_bank"],
    handle: async ({ caller, query }) => {
      const wanted = query.bankCode === undefined ? undefined : requireBank(query.bankCode, caller.kind);
      const all = await readHealth(caller.environmentId, caller.kind);
      const shown = wanted === undefined ? all : all.filter(({ bank }) => bank.code === wanted.code);
      return { data: shown.map(presentHealth) };
    },
  });
}

function nameEnquiryRoute(deps: TransferDependencies): Route {
  return describeRoute("key", {
    ...common,
    path: "/transfers/name-enquiry",
    operationId: "enquireAccountName",
    rateBucket: "name-enquiry",
    summary: "Ask who holds an account",
    description:
      "Asks the bank. Send nameEnquiryReference with the payout within half an hour, and the bank is not asked again. Send accountName, and nameMatches says whether a payout that expects this name would be accepted. The header `Jara-Warning: nuban_check_digit` says that the number's check digit does not fit the bank; trust the bank's answer. This endpoint has its own rate limit.",
    query: enquiryQuery,
    rules: payoutRules,
    reply: { status: 200, message: "Account found.", data: enquiryData, headers: nubanWarningHeader },
    problems: [
      "account_not_found",
      "unknown_bank",
      "account_number_invalid",
      "bank_unavailable",
      "rail_not_configured",
    ],
    handle: async ({ caller, query, read }) => {
      const { environmentId, kind } = caller;
      const bank = requireBank(query.bankCode, kind);
      checkNuban(deps.nubanCheck, bank, query.accountNumber);
      const question = { environmentId, bank, accountNumber: query.accountNumber };
      const holder = await resolveHolder(deps.rails, caller, question);
      const enquiry = sealEnquiry(deps.sealer, environmentId, holder, await read(readNow));
      const { accountName: expected } = query;
      const nameMatches = expected === undefined ? null : namesMatch(expected, holder.accountName);
      const data = { ...enquiry, bankName: bank.name, nameMatches, expiresAt: enquiry.expiresAt.toISOString() };
      return { data, headers: nubanWarning(bank, query.accountNumber) };
    },
  });
}

function feeRoute(deps: TransferDependencies): Route {
  return describeRoute("key", {
    ...common,
    path: "/transfers/fee",
    operationId: "estimateTransferFee",
    summary: "Estimate the fee of a payout",
    description: "What a payout of this amount costs now: the fee by its band, VAT on the fee, stamp duty.",
    query: feeQuery,
    reply: { status: 200, message: "Fee estimated.", data: feeData },
    problems: ["amount_below_minimum", "amount_above_maximum"],
    handle: async ({ caller, query, read }) => {
      const amount = readNaira(query.amount);
      checkPayout({ amount }, caller.kind);
      const [tariffs, now] = await Promise.all([deps.tariffs(), read(readNow)]);
      const charge = chargeFor(tariffAt(tariffs, now), amount);
      return {
        data: {
          amount: nairaNumber(amount),
          fee: nairaNumber(charge.fee),
          vat: nairaNumber(charge.vat),
          stampDuty: nairaNumber(charge.stampDuty),
          totalFee: nairaNumber(totalFee(charge)),
          totalDebit: nairaNumber(totalDebit({ ...charge, amount })),
          currency: "NGN" as const,
        },
      };
    },
  });
}

async function readNow(tx: Tx): Promise<Date> {
  return tx.environment.clock.now();
}

const banksData = Type.Array(
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

const healthQuery = Type.Object({ bankCode: Type.Optional(BankCode) });

const healthData = Type.Array(
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

export const enquiryQuery = Type.Object({
  bankCode: BankCode,
  accountNumber: AccountNumber,
  accountName: Type.Optional(AccountName),
});

const enquiryData = named(
  "NameEnquiry",
  Type.Object({
    accountNumber: Type.String({ examples: ["0690000032"] }),
    accountName: Type.String({ examples: ["ADAEZE NGOZI OKAFOR"] }),
    bankCode: Type.String({ examples: ["044"] }),
    bankName: Type.String({ examples: ["Access Bank"] }),
    nameMatches: Nullable(
      Type.Boolean({
        description: "Whether the bank's name is the accountName you sent; null without one.",
        examples: [true],
      }),
    ),
    nameEnquiryReference: Type.String({ description: "Send it along with the payout.", examples: ["AQJ0pZ3kq1…"] }),
    expiresAt: Timestamp,
  }),
);

export const feeQuery = Type.Object({ amount: Amount, currency: Type.Optional(Currency) });

const feeData = named(
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

function presentHealth({ bank, lastCheckedAt, ...health }: BankHealth) {
  return {
    bankCode: bank.code,
    nipCode: bank.nipCode,
    bankName: bank.name,
    ...health,
    lastCheckedAt: lastCheckedAt.toISOString(),
  };
}
