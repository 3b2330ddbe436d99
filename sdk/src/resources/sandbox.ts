import type {
  Bill,
  CheckoutSession,
  Clock,
  ClockAdvance,
  CompleteCardLinkBody,
  CompletedCardLink,
  FundWalletBody,
  ListMessagesQuery,
  Loan,
  Message,
  NewClock,
  NewClockAdvance,
  NewCredit,
  PendingClockAdvance,
  ResetSandboxData,
  SandboxCardRefund,
  SandboxCharge,
  SetBankHealthBody,
  SetBankHealthData,
  SetSandboxRailBody,
  SetSandboxRailData,
  Transfer,
  WalletTransaction,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";
import { type CheckoutEnding, type CheckoutPlayer, playCheckout } from "../play-checkout.ts";

type Calls = Pick<Caller, "call" | "list"> & Pick<CheckoutPlayer, "open">;

/** Steers a sandbox: its clock, its money, and what banks, billers and cards do. Test keys only. */
export function sandbox({ call, list, open }: Calls) {
  return {
    clock: clock({ call }),
    wallets: {
      /** Puts money into the main wallet, or into the account named. */
      fund: (funding: FundWalletBody, options?: CallOptions): Promise<WalletTransaction> =>
        call("POST /sandbox/wallets/fund", { body: funding }, options),
      /** A payment from outside to a virtual account number. */
      credit: (credit: NewCredit, options?: CallOptions): Promise<WalletTransaction> =>
        call("POST /sandbox/wallets/credit", { body: credit }, options),
    },
    banks: {
      setHealth: (code: string, health: SetBankHealthBody, options?: CallOptions): Promise<SetBankHealthData> =>
        call("PUT /sandbox/banks/{code}/health", { path: { code }, body: health }, options),
    },
    rails: {
      /** Plays a provider that takes no orders, as when its float is empty, or opens it again. */
      set: (port: "bank" | "biller", state: SetSandboxRailBody, options?: CallOptions): Promise<SetSandboxRailData> =>
        call("PUT /sandbox/rails/{port}", { path: { port }, body: state }, options),
    },
    messages: {
      /** Every message that was "sent", codes included. */
      list: (query: ListMessagesQuery = {}, options?: CallOptions): List<Message> =>
        list("GET /sandbox/messages", { query }, options),
    },
    checkoutSessions: {
      /**
       * Plays the customer of a hosted checkout to an end, without a browser. `paid` and `abandoned` move the sandbox's
       * clock. Returns the session as your server reads it afterwards.
       */
      play: (
        session: Pick<CheckoutSession, "id" | "url" | "expiresAt">,
        ending: CheckoutEnding,
        options?: CallOptions,
      ): Promise<CheckoutSession> => playCheckout({ call, open }, session, ending, options),
    },
    /** Empties the sandbox. */
    reset: (options?: CallOptions): Promise<ResetSandboxData> => call("POST /sandbox/reset", {}, options),
    ...outcomes({ call }),
  };
}

const advanceTimeoutMs = 120_000;

function clock({ call }: Pick<Caller, "call">) {
  return {
    get: (options?: CallOptions): Promise<Clock> => call("GET /sandbox/clock", {}, options),
    set: (next: NewClock, options?: CallOptions): Promise<Clock> => call("PUT /sandbox/clock", { body: next }, options),
    /** Moves the clock and waits until everything that fell due has happened; two minutes, unless you say otherwise. */
    advance: async (by: NewClockAdvance, options?: CallOptions): Promise<ClockAdvance> =>
      (await call(
        "POST /sandbox/clock/advance",
        { body: by },
        { timeoutMs: advanceTimeoutMs, ...options },
      )) as ClockAdvance,
    /** Moves the clock in the background; `getAdvance` shows how far it has come. */
    startAdvance: async (by: NewClockAdvance, options?: CallOptions): Promise<PendingClockAdvance> =>
      (await call("POST /sandbox/clock/advance", { body: by }, options, {
        headers: { prefer: "respond-async" },
      })) as PendingClockAdvance,
    getAdvance: (id: string, options?: CallOptions): Promise<PendingClockAdvance> =>
      call("GET /sandbox/clock/advances/{id}", { path: { id } }, options),
  };
}

function outcomes({ call }: Pick<Caller, "call">) {
  return {
    transfers: {
      complete: (id: string, options?: CallOptions): Promise<Transfer> =>
        call("POST /sandbox/transfers/{id}/complete", { path: { id } }, options),
      fail: (id: string, options?: CallOptions): Promise<Transfer> =>
        call("POST /sandbox/transfers/{id}/fail", { path: { id } }, options),
      reverse: (id: string, options?: CallOptions): Promise<Transfer> =>
        call("POST /sandbox/transfers/{id}/reverse", { path: { id } }, options),
    },
    bills: {
      complete: (id: string, options?: CallOptions): Promise<Bill> =>
        call("POST /sandbox/bills/{id}/complete", { path: { id } }, options),
      fail: (id: string, options?: CallOptions): Promise<Bill> =>
        call("POST /sandbox/bills/{id}/fail", { path: { id } }, options),
      reverse: (id: string, options?: CallOptions): Promise<Bill> =>
        call("POST /sandbox/bills/{id}/reverse", { path: { id } }, options),
    },
    loans: {
      approve: (id: string, options?: CallOptions): Promise<Loan> =>
        call("POST /sandbox/loans/{id}/approve", { path: { id } }, options),
      reject: (id: string, options?: CallOptions): Promise<Loan> =>
        call("POST /sandbox/loans/{id}/reject", { path: { id } }, options),
      disburse: (id: string, options?: CallOptions): Promise<Loan> =>
        call("POST /sandbox/loans/{id}/disburse", { path: { id } }, options),
    },
    ...cards({ call }),
  };
}

function cards({ call }: Pick<Caller, "call">) {
  return {
    cardLinks: {
      /** Links or declines a card without a browser. */
      complete: (linkId: string, outcome: CompleteCardLinkBody, options?: CallOptions): Promise<CompletedCardLink> =>
        call("POST /sandbox/card-links/{linkId}/complete", { path: { linkId }, body: outcome }, options),
    },
    charges: {
      confirm: (id: string, options?: CallOptions): Promise<SandboxCharge> =>
        call("POST /sandbox/charges/{id}/confirm", { path: { id } }, options),
      decline: (id: string, options?: CallOptions): Promise<SandboxCharge> =>
        call("POST /sandbox/charges/{id}/decline", { path: { id } }, options),
      /** The holder's bank takes a charge back. */
      takeBack: (id: string, options?: CallOptions): Promise<SandboxCharge> =>
        call("POST /sandbox/charges/{id}/take-back", { path: { id } }, options),
    },
    cardRefunds: {
      complete: (id: string, options?: CallOptions): Promise<SandboxCardRefund> =>
        call("POST /sandbox/card-refunds/{id}/complete", { path: { id } }, options),
      fail: (id: string, options?: CallOptions): Promise<SandboxCardRefund> =>
        call("POST /sandbox/card-refunds/{id}/fail", { path: { id } }, options),
    },
  };
}
