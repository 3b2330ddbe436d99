/**
 * A provider that an operator can connect. A connection is one account of ours at it; `connect` makes the connection's
 * rails out of its credentials. An adapter is a folder of its own: the wire (`client.ts`), what each reply means
 * (`classify.ts`, pure and total), its webhooks (`webhook.ts`) and one file a port.
 */
import type { Kobo } from "../money/kobo.ts";
import type { Hold } from "./answer.ts";
import type { BankRail } from "./bank.ts";
import type { BillCategory, BillerRail } from "./biller.ts";
import type { CardRail } from "./card.ts";
import type { IdentityRail } from "./identity.ts";
import type { InboundRail } from "./inbound.ts";
import type { MessageRail } from "./message.ts";

export interface PortRails {
  readonly bank: BankRail;
  readonly biller: BillerRail;
  readonly card: CardRail;
  readonly message: MessageRail;
  readonly identity: IdentityRail;
  readonly inbound: InboundRail;
}

export type Port = keyof PortRails;

export type ConnectionMode = "live" | "test";

/** What an operator types in to connect a provider. */
export interface CredentialField {
  readonly name: string;
  /** Whether it is never shown again. Everything is kept sealed. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Ports that are not served without it. */
  readonly neededFor?: readonly Port[];
  readonly description: string;
}

export interface ConnectionSettings {
  /** Told of every call whether an answer came. */
  readonly onCall?: (answered: boolean) => void;
  readonly connectionId: string;
  readonly mode: ConnectionMode;
  readonly baseUrl: string;
  /** By the names of the provider's fields; checked for presence before. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** One thing that was looked at before a connection is trusted. */
export interface ConnectionCheck {
  readonly name: string;
  /** A warning is told and does not stand in the way. */
  readonly result: "ok" | "warning" | "failed";
  readonly message: string;
}

export interface Float {
  readonly available: Kobo;
}

/** What a webhook of a provider is about. It never carries an amount: it only says what to ask about. */
export type Hint =
  | { readonly about: Port; readonly id: string; readonly event: string }
  /** What the provider sells has changed: `readProducts` is asked again. */
  | { readonly about: "products"; readonly event: string }
  /** Genuine, and nothing that we would ask about. */
  | { readonly about: "nothing"; readonly event: string }
  /** A wrong signature, or none where the provider signs. */
  | { readonly about: "forged" };

/** In the place of an order's id: a biller's lists have changed. */
export const productsHint = "products";

export interface HookRequest {
  /** As it arrived, byte for byte. */
  readonly body: Buffer;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What a provider asks us before it pays: whether the payment is ours. */
export interface ApprovalQuestion {
  readonly sessionId: string;
  readonly amount: Kobo;
  readonly accountNumber: string;
  /** Of the bank at the switch: the same number at another bank is another account. */
  readonly nipCode: string;
}

/** What a provider's books have records of. */
export type RecordKind = "payout" | "vend" | "charge" | "refund";

/** An order as the provider's own books have it, for reconciliation. */
export interface ProviderRecord {
  readonly kind: RecordKind;
  /** The same that answers about the order name it by. */
  readonly providerReference: string;
  /** Our id for the order, where the provider's list tells it. */
  readonly ourId: string | null;
  /** Null where the books tell none of a payment that was not made. */
  readonly amount: Kobo | null;
  readonly fee: Kobo | null;
  readonly status: "success" | "failure" | "taken_back" | "open";
  /** The provider's own word. */
  readonly word: string;
  readonly createdAt: Date;
}

export interface RecordPeriod {
  /** By the provider's creation time; `from` counts in, `to` does not. */
  readonly from: Date;
  readonly to: Date;
}

/**
 * How a provider's books are read. `list` gives everything that they have for a period, strangers' records included.
 * Where a provider has no list, `find` asks about one order of ours, and null means that it has no record. Both throw
 * when the provider could not be asked: a list with a hole in it would explain nothing.
 */
export type ProviderBooks = { readonly kinds: readonly RecordKind[] } & (
  | { list(period: RecordPeriod, kinds: readonly RecordKind[]): AsyncIterable<ProviderRecord> }
  | { find(order: RecordQuestion): Promise<ProviderRecord | null> }
);

export interface RecordQuestion {
  readonly kind: RecordKind;
  /** Our id for the order. */
  readonly orderId: string;
  readonly sentAt: Date;
}

/** A plan or a package at a fixed price, as far as the provider tells. */
export interface Product {
  readonly category: "data" | "tv";
  /** The network or company, by its code in the catalogue. */
  readonly provider: string;
  /** By which an order names it. */
  readonly code: string;
  readonly name: string;
  readonly amount: Kobo;
  /** What is in it, such as 1.5GB. */
  readonly size: string | null;
  /** For how long: days of a data plan, months of a TV package. */
  readonly validityDays: number | null;
  readonly months: number | null;
}

/** How little and how much of something can be bought. */
export interface AmountBounds {
  readonly category: BillCategory;
  readonly provider: string;
  readonly minAmount: Kobo;
  readonly maxAmount: Kobo;
}

export interface ProductList {
  readonly products: readonly Product[];
  readonly bounds: readonly AmountBounds[];
  /** What the provider lists and we cannot sell, and why. */
  readonly leftOut: readonly { readonly provider: string; readonly code: string; readonly reason: string }[];
}

export interface Connected extends Partial<PortRails> {
  close?(): Promise<void>;
  check(): Promise<readonly ConnectionCheck[]>;
  /** Null when the provider has no balance or could not be asked; a hold when it says why. */
  readFloat?(): Promise<Float | Hold | null>;
  /** Everything that can be bought of the provider now. Null when a part of it could not be read. */
  readProducts?(): Promise<ProductList | null>;
  readHook?(request: HookRequest): Hint;
  /** The reply that the provider expects to a hook it sent; `{}` without one. */
  readonly hookReply?: Readonly<Record<string, unknown>>;
  /** Null when the request is forged or cannot be read. */
  readApproval?(request: HookRequest): Promise<readonly ApprovalQuestion[] | null>;
  /** The provider's own books, for reconciliation. */
  readonly books?: ProviderBooks;
}

export interface Provider {
  readonly name: string;
  readonly ports: readonly Port[];
  readonly credentials: readonly CredentialField[];
  readonly defaultBaseUrl: string;
  readonly testBaseUrl: string;
  /** Whether it can ask us, before it pays, whether the payment is ours (`readApproval`). */
  readonly asksApproval?: boolean;
  connect(settings: ConnectionSettings): Connected;
}
