import { identityContract, wrongIdentityRails } from "../../../testing/providers/identity-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { simulatedIdentity } from "./simulated-identity.ts";

const played = identityContract.filter(({ fate }) => fate !== "down");

keepContract("identity rails: the simulated one", played, wrongIdentityRails, async () => ({
  rail: simulatedIdentity,
  question: (fate) => ({
    environmentId: "00000000-0000-7000-8000-000000000001",
    bvn: fate === "mismatched" ? "22222220000" : "22222222222",
    nin: null,
    firstName: "Ada",
    lastName: "Obi",
    dateOfBirth: null,
  }),
}));
