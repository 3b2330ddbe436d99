/** Payouts of orders. Nothing here runs in a browser: the key stays on the server. */
import { Jara, JaraApiError } from "@jara/sdk";
import { listPlaced, moveUnsent, type NewOrder } from "./orders.ts";

const client = () =>
  new Jara({ secretKey: process.env["JARA_SECRET_KEY"] ?? "", baseUrl: process.env["JARA_BASE_URL"] });

/** Safe to call again at any time, also after a crash in the middle: Jara pays a reference once. */
export async function payOut({ id, seller, accountNumber, bankCode, amount }: NewOrder): Promise<void> {
  const jara = client();
  try {
    const { accountName, nameEnquiryReference } = await jara.transfers.enquireName({ accountNumber, bankCode });
    // With accountName, Jara pays only if the bank's name for the account is the seller's.
    const payout = { accountNumber, bankCode, amount, accountName: seller, nameEnquiryReference };
    await jara.transfers.create({ ...payout, reference: `order-${id}`, narration: `Order ${id}` });
    moveUnsent(id, "sent", { accountName });
  } catch (error) {
    if (isRefusal(error)) moveUnsent(id, "refused", { reason: error.message });
    else console.error(`Order ${id} waits for its next try.`, error);
  }
}

/** A wrong key, too many requests, a lost reply: they say nothing about the order, and it is tried again later. */
function isRefusal(error: unknown): error is JaraApiError {
  return error instanceof JaraApiError && error.status < 500 && ![401, 403, 429].includes(error.status);
}

/** What a crash or a lost reply left behind. */
export const payOutPlaced = () => Promise.all(listPlaced().map(payOut));
