import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { besideEnvironment, inEnvironment } from "../../platform/database/database.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../platform/secrets/crypto.ts";
import { resealAll } from "../../platform/secrets/reseal.ts";
import { resetSandbox } from "../../platform/time/reset-sandbox.ts";
import type { IdentityQuestion } from "../../rails/identity.ts";
import { createSimulatedIdentity } from "./simulated-identity.ts";
import { sealedRegisterBvn } from "./simulated-register-store.ts";

const { db, pool } = await createTestDatabase();
const [older, newer] = [generateMasterKey(1), generateMasterKey(2)];
const sealer = createSealer(parseMasterKeys(older));
const register = createSimulatedIdentity({ pool, sealer });
const sandbox = async () => (await createMerchant(db)).environment.id;
const environmentId = await sandbox();

let people = 0;
function someone(changes: Partial<IdentityQuestion> = {}): IdentityQuestion {
  people += 1;
  const bvn = `33${String(people).padStart(8, "0")}1`;
  const name = { firstName: "Ada", lastName: "Obi" };
  return { environmentId, bvn, nin: null, ...name, phone: "+2348031234567", dateOfBirth: null, ...changes };
}
const fits = { outcome: "matched", phone: "fits" };
const mismatched = { outcome: "mismatched", reason: expect.stringMatching(/^\D+\.$/) };

describe("a BVN that nobody has come with", () => {
  test.each(["22212345678", "22200001234", "00000000001", "12345678901"])("%s belongs to whoever asks", async (bvn) => {
    expect(await register.verify(someone({ bvn }))).toEqual(fits);
  });

  test.each([
    ["22212340000", mismatched],
    ["22200011234", { outcome: "matched", phone: "differs" }],
    ["22200021234", mismatched],
    ["22200031234", { outcome: "unavailable" }],
  ])("%s plays its part, however often it is asked about", async (bvn, answer) => {
    const question = someone({ bvn });
    for (let time = 0; time < 2; time += 1) expect(await register.verify(question)).toEqual(answer);
  });
});

describe("a BVN that somebody has come with", () => {
  test("is theirs, by name and phone and the first birthday that came with the name", async () => {
    const owner = someone();
    expect(await register.verify(owner)).toEqual(fits);
    expect(await register.verify({ ...owner, firstName: "OBI", lastName: "adá" })).toEqual(fits);
    expect(await register.verify({ ...owner, lastName: "Bello", dateOfBirth: "1980-01-01" })).toEqual(mismatched);
    expect(await register.verify({ ...owner, phone: "+2348039999999" })).toEqual({
      outcome: "matched",
      phone: "differs",
    });
    expect(await register.verify({ ...owner, dateOfBirth: "1990-05-16" })).toEqual(fits);
    expect(await register.verify({ ...owner, dateOfBirth: "1990-05-17" })).toEqual(mismatched);
    expect(await register.verify(owner)).toEqual(fits);
  });

  test("is somebody else's in another sandbox, and nobody's after a reset", async () => {
    const owner = someone({ environmentId: await sandbox() });
    await register.verify(owner);
    const thief = { ...owner, firstName: "Chidi", lastName: "Eze" };
    expect(await register.verify(thief)).toEqual(mismatched);
    expect(await register.verify({ ...thief, environmentId: await sandbox() })).toEqual(fits);
    await besideEnvironment(db, owner.environmentId, resetSandbox);
    expect(await register.verify(thief)).toEqual(fits);
  });

  test("stays theirs after an exchange of the master key, and stands nowhere in full", async () => {
    const owner = someone({ environmentId: await sandbox() });
    await register.verify(owner);
    const both = createSealer(parseMasterKeys(`${newer},${older}`));
    const report = await resealAll(db, both, [sealedRegisterBvn], { environments: [owner.environmentId] });
    expect(report).toEqual({ resealed: 1, unreadable: [] });
    const since = createSimulatedIdentity({ pool, sealer: both });
    expect(await since.verify({ ...owner, lastName: "Bello" })).toEqual(mismatched);
    const rows = await inEnvironment(db, owner.environmentId, (tx) =>
      tx
        .withSchema("simulated_identity")
        .selectFrom("people" as never)
        .selectAll()
        .execute(),
    );
    expect(JSON.stringify(rows)).not.toContain(owner.bvn);
  });

  test("of many who come at once has one owner, whoever that is", async () => {
    const names = fc.constantFrom("Ada", "Bola", "Chidi", "Dayo");
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 2, maxLength: 8 }), async (firstNames) => {
        const { bvn } = someone();
        const ask = (firstName: string) =>
          register.verify(someone({ bvn, firstName, phone: `+2348030000${firstName.length}00` }));
        const answers = await Promise.all(firstNames.map(ask));
        const owners = new Set(firstNames.filter((_, place) => answers[place]?.outcome === "matched"));
        expect(owners.size).toBe(1);
        for (const name of firstNames) {
          expect((await ask(name)).outcome).toBe(owners.has(name) ? "matched" : "mismatched");
        }
      }),
      { numRuns: 15 },
    );
  });
});
