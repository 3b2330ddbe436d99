/** What a shop has asked for and what it was told: held against our records when the storm is over. */
export interface Order {
  readonly customerId: string;
  /** Kobo. */
  readonly amount: bigint;
}

export interface Money {
  readonly kind: "card" | "wallet" | "refund";
  readonly loanId: string;
  readonly amount: bigint;
  /** What the shop knows: nothing yet, that it was taken, or that the card declined. */
  told: "nothing" | "taken" | "declined";
}

export interface Diary {
  readonly customers: Set<string>;
  /** Every loan that was asked for, named by `orderName`. */
  readonly orders: Set<string>;
  /** Acknowledged loans by id. */
  readonly loans: Map<string, Order>;
  /** Loans whose consent was acknowledged. */
  readonly consents: Set<string>;
  /** Customers whose card was acknowledged. */
  readonly linked: Set<string>;
  /** Customers whose card declines what is charged to it. */
  readonly declining: Set<string>;
  readonly cancelled: Set<string>;
  /** Repayments and refunds by reference. */
  readonly money: Map<string, Money>;
  /** How many writes have had a clear answer. */
  answered: number;
  /** Answers that the shop cannot explain. */
  readonly surprises: string[];
}

export function createDiary(): Diary {
  return {
    customers: new Set(),
    orders: new Set(),
    loans: new Map(),
    consents: new Set(),
    linked: new Set(),
    declining: new Set(),
    cancelled: new Set(),
    money: new Map(),
    answered: 0,
    surprises: [],
  };
}

/** No customer of a campaign orders for the same amount twice, so a double shows. */
export function orderName({ customerId, amount }: Order): string {
  return `${customerId}/${amount}`;
}
