/**
 * What slices may use, made once in a process. Besides the parts that everything stands on, these are the threads
 * between slices: lending and transfers tell the owners of loans what happened, simulated rails tell what they took
 * back. Only this file knows both ends of a thread.
 */
import { createPeopleLimit } from "../approvals/limit-people.ts";
import type { ArchiveSettings } from "../archives/archive.ts";
import { type CatalogueSync, createCatalogueSync } from "../bills/catalogue/sync-catalogues.ts";
import { askAboutVend, reverseBill } from "../bills/vending/steer-bill.ts";
import { askAboutCharge } from "../checkout/cards/ask-about-charge.ts";
import { takeCardHint } from "../checkout/cards/take-card-hint.ts";
import { sendWaitingCodes } from "../checkout/consent/code-order.ts";
import { productInUseFaults } from "../checkout/credit/publish-policy.ts";
import { loanMoved } from "../checkout/follow-loans.ts";
import { announceCheckoutLoan } from "../checkout/loans/announce-checkout-loan.ts";
import { takeCheckoutDisbursement } from "../checkout/loans/disburse-checkout-loan.ts";
import { createPeople, type People, type PeopleOptions } from "../console/people.ts";
import type { GroupCommit } from "../ledger/group-commit.ts";
import type { Announce } from "../lending/account/loan-account.ts";
import type { ProductUse } from "../lending/pricing/publish-product.ts";
import { announceLoan } from "../loans/announce-loan.ts";
import { takeLoanDisbursement } from "../loans/disburse-loan.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import type { OrderBook } from "../platform/records/order-book.ts";
import type { OverviewSource } from "../platform/records/overview.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import type { TraceSource } from "../platform/records/trace.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { QueueKinds } from "../platform/slice-description.ts";
import type { ClockControl } from "../platform/time/clock-control.ts";
import type { HintTakers } from "../rails/ask-about-order.ts";
import { productsHint } from "../rails/provider.ts";
import type { OrderName } from "../rails/pursue-order.ts";
import type { ReversalNotice } from "../sandbox/bank/reverse-payment.ts";
import type { VendReversalNotice } from "../sandbox/biller/reverse-vend.ts";
import { askAboutPayment } from "../transfers/sending/ask-about-payment.ts";
import type { DisbursementSettled, DisbursementTaken } from "../transfers/sending/settle-transfer.ts";
import { reverseBySession } from "../transfers/sending/steer-transfer.ts";
import type { BookChecks } from "../verification/verify-books.ts";
import type { LimitPeople } from "../wallets/limit-people.ts";
import { takeInboundHint } from "../wallets/take-inbound-hint.ts";
import type { WebhookReach } from "../webhooks/endpoints/reachable-address.ts";
import type { Config } from "./config.ts";
import type { OpenRails } from "./open-rails.ts";

/** What a process is made of. */
export interface Parts {
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Moves money; one per process, shared by API and worker. */
  readonly groupCommit: GroupCommit;
  readonly rails: Omit<OpenRails, "close">;
  /** Blocks of addresses that the operator opened to webhooks. */
  readonly webhookReach: WebhookReach;
  /** Where browsers reach the API: messages to customers have addresses in them. */
  readonly publicUrl: string;
  /** How many days the log of requests is kept; 0 turns it off. */
  readonly requestLogDays: number;
  /** Where old events go, and when; undefined keeps them all. */
  readonly archive?: ArchiveSettings | undefined;
}

export interface WorkNeeds extends Omit<Parts, "rails">, Omit<OpenRails, "close">, LoanOwners {
  /** The kinds of work that waits, of all slices. */
  readonly queues: QueueKinds;
  /** The kinds of orders of all slices. */
  readonly owedKinds: readonly OwedKind[];
  /** Where the orders of all slices to providers are listed. */
  readonly orderBooks: readonly OrderBook[];
  /** What all slices recompute when the books are verified. */
  readonly bookChecks: BookChecks;
  paymentTakenBack(notice: ReversalNotice): Promise<boolean>;
  vendTakenBack(notice: VendReversalNotice): Promise<boolean>;
  /** Somebody says that there is news of a charge: the network is asked. */
  chargeHasNews(name: OrderName): Promise<unknown>;
  /** Keeps the lists of live bills up to date. */
  readonly catalogueSync: CatalogueSync;
  /** Who asks about the orders that providers hint at. */
  readonly hintTakers: HintTakers;
}

export interface RouteNeeds extends WorkNeeds, ProductUse, Pick<Config, "nubanCheck"> {
  /** In whose name live loans are made. */
  readonly lender: Config["lender"] | undefined;
  /** Reads and moves the clocks of sandboxes. */
  readonly clock: ClockControl;
  /** The names of all events. */
  readonly eventNames: readonly string[];
  /** The kinds of what a person has to decide, of all slices. */
  readonly decisions: readonly string[];
  /** What keys can be limited to, of all slices. */
  readonly scopes: readonly string[];
  /** What all slices know about where a record's money is. */
  readonly traces: readonly TraceSource[];
  /** What can be found of all slices by what a person has at hand. */
  readonly searched: readonly SearchedKind[];
  /** What all slices count for an overview. */
  readonly overviews: readonly OverviewSource[];
  /** What a new environment is given by all slices. */
  environmentOpened(inside: Tx): Promise<void>;
  carryWaitingMessages(environmentId: string): Promise<void>;
  /** Who is at the console. */
  readonly people: People;
  /** How much each of them may pay alone. */
  readonly limitPeople: LimitPeople;
}

export function workNeeds(
  { rails, ...parts }: Parts,
  {
    queues,
    owedKinds,
    orderBooks,
    checks,
    operatorChecks,
  }: Pick<WorkNeeds, "queues" | "owedKinds" | "orderBooks"> & BookChecks,
): WorkNeeds {
  const owners = loanOwners(parts.sealer);
  const catalogueSync = createCatalogueSync({ ...parts, connections: rails.connections });
  const sending = { ...parts, rails: rails.rails, ...owners };
  return {
    ...parts,
    ...rails,
    ...owners,
    queues,
    owedKinds,
    orderBooks,
    bookChecks: { checks, operatorChecks },
    catalogueSync,
    paymentTakenBack: (notice) => reverseBySession(sending, notice),
    chargeHasNews: (name) => askAboutCharge(sending, name),
    // The simulated biller knows a bill by its own id.
    vendTakenBack: ({ environmentId, requestId: id }) => reverseBill(sending, { environmentId, id }),
    hintTakers: {
      inbound: (connectionId, orderId) =>
        takeInboundHint({ ...sending, connections: rails.connections }, { connectionId, orderId }),
      card: (connectionId, orderId) => takeCardHint({ ...sending, loanMoved }, { connectionId, orderId }),
      bank: (connectionId, sessionId) => askAboutPayment(sending, { connectionId, sessionId }),
      biller: async (connectionId, requestId) => {
        if (requestId !== productsHint) return askAboutVend(sending, { connectionId, requestId });
        catalogueSync.readSoon(connectionId);
        return "asked";
      },
    },
  };
}

export interface RouteParts
  extends Parts,
    Pick<RouteNeeds, "clock" | "nubanCheck" | "lender">,
    Pick<PeopleOptions, "isAtHome">,
    Pick<Config, "trustProxy"> {}

interface Folded
  extends Pick<
      RouteNeeds,
      | "queues"
      | "decisions"
      | "owedKinds"
      | "orderBooks"
      | "scopes"
      | "traces"
      | "searched"
      | "overviews"
      | "environmentOpened"
    >,
    BookChecks {
  readonly events: EventCatalogue;
}

export function routeNeeds(parts: RouteParts, house: Folded): RouteNeeds {
  const { clock, nubanCheck, lender, trustProxy, isAtHome, ...rest } = parts;
  const work = workNeeds(rest, house);
  return {
    ...work,
    clock,
    nubanCheck,
    lender,
    eventNames: Object.keys(house.events),
    decisions: house.decisions,
    scopes: house.scopes,
    traces: house.traces,
    searched: house.searched,
    overviews: house.overviews,
    environmentOpened: house.environmentOpened,
    productInUseFaults,
    people: createPeople({ ...rest, scopes: house.scopes, trustProxy, isAtHome }),
    limitPeople: createPeopleLimit(rest.db),
    carryWaitingMessages: (environmentId) => sendWaitingCodes(work, environmentId),
  };
}

/**
 * Who owns loans: loan requests and the checkout. Lending and transfers know neither; what happens to a loan or to its
 * payment is told to both here, and each takes what is its own.
 */
interface LoanOwners {
  readonly announce: Announce;
  readonly disbursementSettled: DisbursementSettled;
}

export function loanOwners(sealer: Sealer): LoanOwners {
  const listeners: readonly Announce[] = [announceLoan(sealer), announceCheckoutLoan({ loanMoved })];
  const takers: readonly DisbursementTaken[] = [takeLoanDisbursement(sealer), takeCheckoutDisbursement({ loanMoved })];
  return {
    announce: async (tx, changes) => {
      for (const announce of listeners) await announce(tx, changes);
    },
    disbursementSettled: async (tx, transfer) => {
      for (const take of takers) if (await take(tx, transfer)) return;
      throw new Error(`disbursement ${transfer.id} pays no loan out`);
    },
  };
}
