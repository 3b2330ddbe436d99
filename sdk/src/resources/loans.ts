import type {
  CreatedLoan,
  ExplainLoanQuery,
  Installment,
  ListLoanRepaymentsQuery,
  ListLoansQuery,
  Loan,
  LoanBank,
  LoanCreditRefund,
  LoanExplanation,
  LoanQuote,
  LoanRequest,
  NewLoan,
  NewLoanQuote,
  NewRepayment,
  Repayment,
  ReverseLoanRepaymentBody,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";
import { bnpl } from "./bnpl.ts";

/** Loan requests for applicants; `bnpl` is the checkout on credit. */
export function loans({ call, list }: Pick<Caller, "call" | "list">) {
  return {
    /**
     * Requests a loan. It has no reference of yours: keep your own `idempotencyKey`, and the same request is one loan
     * even when your program starts again in between.
     */
    create: (loan: NewLoan, options?: CallOptions): Promise<CreatedLoan> => {
      const { tenure, longitude, latitude } = loan;
      const texts = { tenure: String(tenure), longitude: String(longitude), latitude: String(latitude) };
      return call("POST /loans/create", { body: { ...loan, ...texts } }, options, { amounts: "text" });
    },
    get: (id: string, options?: CallOptions): Promise<Loan> => call("GET /loans/{id}", { path: { id } }, options),
    list: (query: ListLoansQuery = {}, options?: CallOptions): List<LoanRequest> =>
      list("GET /loans", { query }, options),
    /** Prices a loan; nothing is stored. */
    quote: (terms: NewLoanQuote, options?: CallOptions): Promise<LoanQuote> =>
      call("POST /loans/quote", { body: terms }, options),
    getSchedule: (id: string, options?: CallOptions): Promise<Installment[]> =>
      call("GET /loans/{id}/schedule", { path: { id } }, options),
    /** Derives a figure, step by step. */
    explain: (id: string, query: ExplainLoanQuery, options?: CallOptions): Promise<LoanExplanation> =>
      call("GET /loans/{id}/explain", { path: { id }, query }, options),
    /** Takes a request back before any money went out. */
    cancel: (id: string, options?: CallOptions): Promise<Loan> =>
      call("POST /loans/{id}/cancel", { path: { id } }, options),
    /** Gives back what was paid beyond what was owed. */
    refundCredit: (id: string, refund: NewRepayment, options?: CallOptions): Promise<LoanCreditRefund> =>
      call("POST /loans/{id}/credit/refund", { path: { id }, body: refund }, options),
    listBanks: (options?: CallOptions): Promise<LoanBank[]> => call("GET /loans/banks", {}, options),
    repayments: {
      create: (id: string, repayment: NewRepayment, options?: CallOptions): Promise<Repayment> =>
        call("POST /loans/{id}/repayments", { path: { id }, body: repayment }, options),
      list: (id: string, query: ListLoanRepaymentsQuery = {}, options?: CallOptions): List<Repayment> =>
        list("GET /loans/{id}/repayments", { path: { id }, query }, options),
      /** For a repayment that turned out not to have been made. */
      reverse: (
        id: string,
        repaymentId: string,
        why: ReverseLoanRepaymentBody,
        options?: CallOptions,
      ): Promise<Repayment> =>
        call("POST /loans/{id}/repayments/{repaymentId}/reverse", { path: { id, repaymentId }, body: why }, options),
    },
    bnpl: bnpl({ call, list }),
  };
}
