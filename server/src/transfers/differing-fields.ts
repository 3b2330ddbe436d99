import type { TransferDraft } from "./accept-transfer.ts";
import type { Transfer } from "./transfer.ts";

/** What a second request under the same reference asks differently; the names are those of the wire. */
export function differingFields(earlier: Transfer, draft: TransferDraft): string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["reference", earlier.reference, draft.reference],
    ["externalReference", earlier.externalReference, draft.externalReference],
    ["sourceAccountId", earlier.sourceAccountId, draft.sourceAccountId],
    ["accountNumber", earlier.accountNumber, draft.accountNumber],
    ["bankCode", earlier.bankCode, draft.bankCode],
    ["amount", earlier.amount, draft.amount],
    ["narration", earlier.narration, draft.narration],
    ["accountName", earlier.expectedName, draft.expectedName],
    ["metadata", canonical(earlier.metadata), canonical(draft.metadata)],
  ];
  return pairs.filter(([, left, right]) => left !== right).map(([field]) => field);
}

/** Metadata is flat, so sorting its entries is enough to compare it. */
function canonical(metadata: Transfer["metadata"]): string {
  const entries = Object.entries(metadata ?? {});
  return JSON.stringify(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
