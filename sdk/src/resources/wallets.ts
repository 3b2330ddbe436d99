import type {
  GetBalanceQuery,
  ListSubAccountsQuery,
  ListTransactionsQuery,
  NewSubAccount,
  NewWalletTransfer,
  SubAccount,
  SubAccountState,
  Wallet,
  WalletTransaction,
  WalletTransfer,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";

/** The main wallet and its sub-accounts. */
export function wallets({ call, list, text }: Pick<Caller, "call" | "list" | "text">) {
  return {
    /** Of the main wallet, unless `accountId` names another. */
    getBalance: (query: GetBalanceQuery = {}, options?: CallOptions): Promise<Wallet> =>
      call("GET /wallets/balance", { query }, options),
    /** Moves money between your own accounts. */
    transfer: (transfer: NewWalletTransfer, options?: CallOptions): Promise<WalletTransfer> =>
      call("POST /wallets/transfers", { body: transfer }, options),
    transactions: {
      /** The statement, newest first. */
      list: (query: ListTransactionsQuery = {}, options?: CallOptions): List<WalletTransaction> =>
        list("GET /wallets/transactions", { query }, options),
      /** The statement of the whole span as CSV. */
      toCsv: (query: Omit<ListTransactionsQuery, "page" | "limit"> = {}, options?: CallOptions): Promise<string> =>
        text("GET /wallets/transactions", { query }, options, { headers: { accept: "text/csv" } }),
    },
    subAccounts: {
      /** A live one is `opening` until a provider has given it a number; `wallet.opened` tells when. */
      create: (account: NewSubAccount, options?: CallOptions): Promise<SubAccountState> =>
        call("POST /wallets/sub-accounts", { body: account }, options),
      get: (id: string, options?: CallOptions): Promise<SubAccountState> =>
        call("GET /wallets/sub-accounts/{id}", { path: { id } }, options),
      list: (query: ListSubAccountsQuery = {}, options?: CallOptions): List<SubAccount> =>
        list("GET /wallets/sub-accounts", { query }, options),
    },
  };
}
