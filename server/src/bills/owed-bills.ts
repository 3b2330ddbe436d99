import type { OwedKind } from "../rails/owed-outcomes.ts";

/** Bills whose outcome the biller owes us. */
export const owedBills: OwedKind = {
  type: "bill",
  noun: "bills",
  gauge: "jara_unknown_bills",
  lookup: "list_unknown_bills",
  detail: (column) => ({
    category: column("category"),
    provider: column("provider"),
    catalogueVersion: Number(column("catalogue_version")),
  }),
};
