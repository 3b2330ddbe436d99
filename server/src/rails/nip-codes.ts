/** The response codes of the interbank switch, and what each settles. */
import type { PaymentAnswer } from "./bank.ts";

const nipMessages: Readonly<Record<string, string>> = {
  "00": "Approved",
  "01": "Status unknown",
  "02": "Status unknown",
  "03": "The sender is not valid",
  "05": "The bank does not honour this payment",
  "06": "The account is dormant",
  "07": "The account is not valid",
  "08": "The account name does not match",
  "09": "The payment is in progress",
  "12": "The transaction is not valid",
  "13": "The amount is not valid",
  "16": "The bank code is not known",
  "21": "No action was taken",
  "25": "The record could not be found",
  "26": "The record exists already",
  "30": "The message has a format error",
  "34": "Suspected fraud",
  "35": "Contact the sending bank",
  "51": "The settlement account lacks funds",
  "57": "The sender may not make this payment",
  "58": "The channel may not make this payment",
  "61": "The limit of the account is exceeded",
  "63": "Security violation",
  "65": "The account receives too many payments",
  "68": "The response came too late",
  "91": "The bank is not available",
  "92": "The payment could not be routed",
  "94": "The transaction exists already",
  "96": "The system of the bank failed",
  "97": "The bank did not answer in time",
};

/** Only these say that the money did not and will not move. Everything that is neither here nor 00 is unknown. */
const definiteFailures: ReadonlySet<string> = new Set([
  "03",
  "05",
  "06",
  "07",
  "08",
  "12",
  "13",
  "16",
  "30",
  "51",
  "57",
  "58",
  "61",
  "65",
]);

export function answerFromNipCode(nipCode: string): PaymentAnswer {
  if (nipCode === "00") return { outcome: "success" };
  if (!definiteFailures.has(nipCode)) return { outcome: "unknown", code: nipCode };
  return {
    outcome: "failure",
    code: `nip_${nipCode}`,
    message: nipMessages[nipCode] ?? "The bank refused the payment",
  };
}
