/** The identity rail of sandboxes: a BVN with a certain ending belongs to somebody else, every other one fits. */
import type { IdentityRail } from "../../rails/identity.ts";
import { foreignBvnEnding } from "../magic-inputs.ts";

export const simulatedIdentity: IdentityRail = {
  name: "simulated",
  verify: async ({ bvn }) =>
    bvn.endsWith(foreignBvnEnding)
      ? { outcome: "mismatched", reason: "The name does not fit the one that the BVN is registered under." }
      : { outcome: "matched" },
};
