/**
 * A plan's page is where a customer looks after a loan that is out: what is owed and when, paying early, another card,
 * receipts. A loan has one address at a time, which lives some weeks and can be made again.
 *
 * An address is forwarded, photographed and left in histories, so it only leads to a door. A code to the phone on
 * record opens it, for this browser and half an hour: that is a visit, with a token of its own that is in no address.
 * A visit ends before its time when the customer leaves, when the address is replaced, or when the customer has another
 * phone.
 */

/** Sending a customer the address of the plan's page. */
export const sendPlanLinkTask = "checkout.send-plan-link";
export const pageLifeMs = 45 * 24 * 60 * 60_000;
export const visitLifeMs = 30 * 60_000;

export interface PlanPage {
  readonly id: string;
  readonly loanId: string;
  readonly customerId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface PlanVisit {
  readonly id: string;
  readonly pageId: string;
  /** That was asked; the visit is worth nothing once the customer has another. */
  readonly phone: string;
  readonly expiresAt: Date;
}

/** The message with a page's address. */
export interface PlanLinkMessage {
  readonly loanId: string;
  readonly messageId: string;
  /** How often a gateway was asked to carry it. */
  readonly tries: number;
  readonly createdAt: Date;
}
