/** Which columns of cards hold sealed bytes. */
import type { SealedColumn } from "../../platform/secrets/reseal.ts";

/** What the network charges a card by. */
export const sealedToken = {
  table: "customer_cards",
  column: "sealed_token",
  key: "id",
} as const satisfies SealedColumn;

/** The same number has another index elsewhere. */
export const fingerprintPurpose = "customer_cards.fingerprint";

/** What the network knows the card by; the same for every customer that links it. */
export const sealedFingerprint = {
  table: "customer_cards",
  column: "sealed_fingerprint",
  key: "id",
  index: { column: "fingerprint_index", purpose: fingerprintPurpose },
} as const satisfies SealedColumn;

/** What opens a link's page, so that its address can be told again. */
export const sealedPageToken = {
  table: "card_links",
  column: "sealed_token",
  key: "id",
} as const satisfies SealedColumn;

/** The vault's token of the card that is being linked; gone as soon as the network has answered. */
export const sealedCardToken = {
  table: "card_links",
  column: "sealed_card_token",
  key: "id",
} as const satisfies SealedColumn;

/** The processor's page that a holder was sent to; gone as soon as the try has ended. */
export const sealedRedirectUrl = {
  table: "card_links",
  column: "sealed_redirect_url",
  key: "id",
} as const satisfies SealedColumn;

/** Where the holder confirms a charge; gone as soon as the charge has ended. */
export const sealedConfirmUrl = {
  table: "card_charges",
  column: "sealed_confirm_url",
  key: "id",
} as const satisfies SealedColumn;

export const cardSealedColumns: readonly SealedColumn[] = [
  sealedToken,
  sealedFingerprint,
  sealedPageToken,
  sealedCardToken,
  sealedRedirectUrl,
  sealedConfirmUrl,
];
