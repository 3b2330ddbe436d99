import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import {
  type IdentityFate,
  identityContract,
  wrongIdentityRails,
} from "../../../testing/providers/identity-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../platform/secrets/crypto.ts";
import { playedBvns } from "../magic-inputs.ts";
import { createSimulatedIdentity } from "./simulated-identity.ts";

const { db, pool } = await createTestDatabase();
const sealer = createSealer(parseMasterKeys(generateMasterKey()));

const bvns: Readonly<Record<IdentityFate, string>> = {
  matched: "22222222222",
  other_phone: `${playedBvns.otherPhone}1234`,
  mismatched: "22222220000",
  down: `${playedBvns.registerAway}1234`,
};

keepContract("identity rails: the simulated one", identityContract, wrongIdentityRails, async () => {
  const { environment } = await createMerchant(db);
  return {
    rail: createSimulatedIdentity({ pool, sealer }),
    question: (fate) => ({
      environmentId: environment.id,
      bvn: bvns[fate],
      nin: null,
      firstName: "Ada",
      lastName: "Obi",
      phone: "+2348031234567",
      dateOfBirth: null,
    }),
  };
});
