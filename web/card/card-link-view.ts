/** What the server tells the card page. */
export interface CardLinkView {
  readonly linkId: string;
  readonly status: "pending" | "processing" | "linked" | "declined" | "expired" | "stale";
  readonly environment: "SANDBOX" | "LIVE";
  readonly merchantName: string;
  /** Where the number goes, and nowhere else. */
  readonly tokenizePath: string;
  readonly expiresAt: string;
  readonly now: string;
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly expMonth: number;
    readonly expYear: number;
  } | null;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly returnUrl: string | null;
}
