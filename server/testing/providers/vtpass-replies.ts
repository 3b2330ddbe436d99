/** What VTpass replies about a transaction. */
import { createHash } from "node:crypto";
import { nairaNumber, nairaString } from "../../src/money/kobo.ts";
import type { TwinReply } from "./twin-wire.ts";
import { commissionOf, type VtpassState, type VtpassTransaction } from "./vtpass-books.ts";

/** Where and how the electricity companies put a token. */
export const tokenShapes = {
  bare: (token: string) => ({ token, purchased_code: `Token : ${token}`, units: "79.9 kWh" }),
  purchased_code_only: (token: string) => ({ purchased_code: `Token : ${token}`, units: "79.9" }),
  main_token: (token: string) => ({ mainToken: token, mainTokenUnits: 79.9, purchased_code: "" }),
  capital_token: (token: string) => ({ Token: token, Units: "79.90 kWh", token: null }),
  spaced: (token: string) => ({ token: token.replaceAll(/(\d{4})(?=\d)/g, "$1 "), PurchasedUnits: "79.903" }),
  dashed: (token: string) => ({ token: token.replaceAll(/(\d{4})(?=\d)/g, "$1-"), units: "79.9" }),
  not_there_yet: () => ({ token: "N/A", purchased_code: "", units: "N/A" }),
} as const satisfies Readonly<Record<string, (token: string) => Readonly<Record<string, unknown>>>>;

export type TokenShape = keyof typeof tokenShapes;

export function tokenOf(requestId: string): string {
  const draw = createHash("sha256").update(requestId).digest("hex");
  return BigInt(`0x${draw}`).toString().slice(0, 20).padStart(20, "1");
}

const words: Readonly<Record<VtpassState, readonly [string, string]>> = {
  initiated: ["000", "TRANSACTION PROCESSED"],
  pending: ["000", "TRANSACTION PROCESSED - PENDING"],
  delivered: ["000", "TRANSACTION SUCCESSFUL"],
  failed: ["016", "TRANSACTION FAILED"],
  reversed: ["040", "TRANSACTION REVERSAL TO WALLET"],
};

export function transactionBody(transaction: VtpassTransaction, shape: TokenShape) {
  const { requestId, transactionId, serviceID, billersCode, variationCode, amount, total, phone, state } = transaction;
  const [code, response_description] = words[state];
  const isPrepaid = serviceID.endsWith("-electric") && variationCode === "prepaid";
  const delivery = isPrepaid && state === "delivered" ? tokenShapes[shape](tokenOf(requestId)) : {};
  return {
    code,
    content: {
      transactions: {
        status: state,
        product_name: serviceID,
        unique_element: billersCode,
        unit_price: nairaNumber(amount),
        quantity: 1,
        service_verification: null,
        channel: "api",
        commission: nairaNumber(commissionOf(amount)),
        total_amount: nairaNumber(total),
        discount: null,
        type: serviceID,
        email: "operator@example.com",
        phone,
        name: null,
        convinience_fee: 0,
        amount: nairaNumber(amount),
        platform: "api",
        method: "api",
        transactionId,
      },
    },
    response_description,
    requestId,
    amount: nairaString(amount),
    transaction_date: { date: "2026-11-16 10:22:15.000000", timezone_type: 3, timezone: "Africa/Lagos" },
    purchased_code: "",
    ...delivery,
  };
}

/** Errors of business come with status 200. */
export function coded(code: string, response_description: string, content: unknown = { errors: [] }): TwinReply {
  return { status: 200, body: { code, response_description, content } };
}
