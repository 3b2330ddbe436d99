import type {
  AcceptedBulkTransfer,
  Bank,
  BankHealth,
  BulkTransfer,
  BulkTransferSummary,
  EnquireAccountNameQuery,
  EstimateTransferFeeQuery,
  ListBankHealthQuery,
  ListBulkTransfersQuery,
  ListTransfersQuery,
  NameEnquiry,
  NewBulkTransfer,
  NewTransfer,
  Transfer,
  TransferFee,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";
import { type WaitOptions, waitUntil } from "../calling/wait-until.ts";

const isFinal = ({ status }: Transfer): boolean => status !== "pending" && status !== "processing";

/** Payouts to Nigerian bank accounts. */
export function transfers({ call, list }: Pick<Caller, "call" | "list">) {
  const get = (id: string, options?: CallOptions): Promise<Transfer> =>
    call("GET /transfers/{id}", { path: { id } }, options);
  return {
    /**
     * Sends a payout. It comes back `pending`: wait for `transfer.completed` or `transfer.failed`, or call
     * `waitUntilFinal`. The same `reference` and content again are the same payout.
     */
    create: (transfer: NewTransfer, options?: CallOptions): Promise<Transfer> =>
      call("POST /transfers", { body: { currency: "NGN", ...transfer } }, options),
    get,
    /** Finds a payout by your own `reference` or `externalReference`. */
    getByReference: (reference: string, options?: CallOptions): Promise<Transfer> =>
      call("GET /transfers/verify", { query: { reference } }, options),
    list: (query: ListTransfersQuery = {}, options?: CallOptions): List<Transfer> =>
      list("GET /transfers", { query }, options),
    /** Waits for `completed`, `failed` or `reversed`. A completed payout can still be reversed by the bank, days later. */
    waitUntilFinal: (id: string, options: WaitOptions = {}): Promise<Transfer> =>
      waitUntil((timeoutMs) => get(id, { signal: options.signal, timeoutMs }), isFinal, options),
    /** Fee, VAT and stamp duty of a payout, and what the wallet would be debited. */
    estimateFee: (query: EstimateTransferFeeQuery, options?: CallOptions): Promise<TransferFee> =>
      call("GET /transfers/fee", { query }, options),
    /** Who holds an account. Pass `nameEnquiryReference` on to `create`, and the bank is not asked twice. */
    enquireName: (query: EnquireAccountNameQuery, options?: CallOptions): Promise<NameEnquiry> =>
      call("GET /transfers/name-enquiry", { query }, options),
    listBanks: (options?: CallOptions): Promise<Bank[]> => call("GET /transfers/banks", {}, options),
    /** How banks are doing, from the payouts of the last hour. */
    listBankHealth: (query: ListBankHealthQuery = {}, options?: CallOptions): Promise<BankHealth[]> =>
      call("GET /transfers/bank/health", { query }, options),
    bulk: bulk({ call, list }),
  };
}

function bulk({ call, list }: Pick<Caller, "call" | "list">) {
  const get = (batchId: string, options?: CallOptions): Promise<BulkTransfer> =>
    call("GET /transfers/bulk/{batchId}", { path: { batchId } }, options);
  return {
    /** Sends up to 5,000 payouts. One bad item refuses all, unless `onInvalid` is `continue`. */
    create: (batch: NewBulkTransfer, options?: CallOptions): Promise<AcceptedBulkTransfer> =>
      call("POST /transfers/bulk", { body: { currency: "NGN", ...batch } }, options),
    get,
    /** Newest first, without their items. */
    list: (query: ListBulkTransfersQuery = {}, options?: CallOptions): List<BulkTransferSummary> =>
      list("GET /transfers/bulk", { query }, options),
    /** Waits until every payout of the batch has its outcome. */
    waitUntilFinal: (batchId: string, options: WaitOptions = {}): Promise<BulkTransfer> =>
      waitUntil(
        (timeoutMs) => get(batchId, { signal: options.signal, timeoutMs }),
        ({ status }) => status === "completed",
        options,
      ),
  };
}
