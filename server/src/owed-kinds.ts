/** Every kind of order whose outcome a rail may owe: one list for the operator's view, the metrics and the log. */
import { owedBills } from "./bills/owed-bills.ts";
import { owedCardOutcomes } from "./checkout/cards/owed-card-outcomes.ts";
import type { OwedKind } from "./rails/owed-outcomes.ts";
import { owedTransfers } from "./transfers/owed-transfers.ts";

export const owedKinds: readonly OwedKind[] = [owedTransfers, owedBills, ...owedCardOutcomes];
