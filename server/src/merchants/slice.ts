import type { Slice } from "../platform/slice-description.ts";
import { merchantProblems } from "./errors.ts";
import { type ProfileDependencies, profileRoutes } from "./profile-routes.ts";
import { type MerchantRouteDependencies, merchantRoutes } from "./routes.ts";

export const merchantSlice: Slice<MerchantRouteDependencies & ProfileDependencies, unknown> = {
  sections: [
    {
      name: "Operator",
      description: "For people who run the service: merchants, environments, keys, the audit trail.",
    },
  ],
  problems: merchantProblems,
  lookupFunctions: {
    "find_merchant_name()": "A page shows the shop's name; the merchant's row is the operator's.",
  },
  routes: (needs) => [...profileRoutes(needs), ...merchantRoutes(needs)],
};
