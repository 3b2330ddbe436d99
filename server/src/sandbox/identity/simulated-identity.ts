/** The identity rail of sandboxes: a BVN that ends in 0000 belongs to somebody else, every other one fits. */
import type { IdentityRail } from "../../rails/identity.ts";

export const simulatedIdentity: IdentityRail = {
  name: "simulated",
  verify: async ({ bvn }) =>
    bvn.endsWith("0000")
      ? { outcome: "mismatched", reason: "The name does not fit the one that the BVN is registered under." }
      : { outcome: "matched" },
};
