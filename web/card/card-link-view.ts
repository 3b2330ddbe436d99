/** What the server tells the card page. */
import type { ShownCard } from "../shared/page-data.ts";

export interface CardLinkView {
  readonly linkId: string;
  readonly status: "pending" | "processing" | "linked" | "declined" | "expired" | "stale";
  readonly environment: "SANDBOX" | "LIVE";
  readonly merchantName: string;
  /** A path of this server. */
  readonly merchantLogo: string | null;
  /** Where the number goes, and nowhere else. Null where it is typed in on the bank's own page. */
  readonly tokenizePath: string | null;
  readonly expiresAt: string;
  readonly now: string;
  readonly card: ShownCard | null;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly returnUrl: string | null;
}
