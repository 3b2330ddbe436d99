import { expect, test } from "vitest";
import { simulatedIdentity } from "./simulated-identity.ts";

const question = { environmentId: "e", nin: null, firstName: "Ada", lastName: "Obi", dateOfBirth: null };

test.each([
  ["22212345678", { outcome: "matched" }],
  ["22212340000", { outcome: "mismatched", reason: expect.any(String) }],
  ["22200001234", { outcome: "matched" }],
])("the BVN %s is answered by its ending", async (bvn, answer) => {
  expect(await simulatedIdentity.verify({ ...question, bvn })).toEqual(answer);
});
