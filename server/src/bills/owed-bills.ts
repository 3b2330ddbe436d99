import { Type } from "typebox";
import type { OwedKind } from "../platform/records/owed-kind.ts";

/** Bills whose outcome the biller owes us. */
export const owedBills: OwedKind = {
  type: "bill",
  noun: "bills",
  gauge: "jara_unknown_bills",
  // CBN and NCC, framework for failed airtime and data: what is pending for a day counts as failed.
  clocks: [{ name: "refunded", seconds: 86_400 }],
  fields: {
    category: Type.String({ description: "Bills.", examples: ["electricity"] }),
    provider: Type.String({ description: "Bills.", examples: ["ikeja-electric"] }),
    catalogueVersion: Type.Integer({ description: "Bills: what priced it.", examples: [3] }),
  },
  detail: (column) => ({
    category: column("category"),
    provider: column("provider"),
    catalogueVersion: Number(column("catalogue_version")),
  }),
};
