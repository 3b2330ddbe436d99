/** The port to the vendor of gift cards. One order id is one card, however many orders arrive. */
import type { Kobo } from "../../src/money/kobo.ts";
import type { Unknown } from "../../src/rails/answer.ts";

export type IssueAnswer =
  | { readonly outcome: "issued"; readonly code: string }
  | { readonly outcome: "refused"; readonly code: string };

export interface GiftVendor {
  issue(order: {
    readonly orderId: string;
    readonly brand: string;
    readonly amount: Kobo;
  }): Promise<IssueAnswer | Unknown>;
}
