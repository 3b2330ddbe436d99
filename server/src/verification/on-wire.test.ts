/** Verifications as operators read them, and what a round over all books counts. */
import { beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import type { Check } from "../platform/slice-description.ts";
import { listQuery, presentVerification, presentWhole, verificationData, wholeData } from "./routes.ts";
import { type Contradiction, mostKept, type Tally, type Verification, verificationStates } from "./verification.ts";
import { verifyBooks, verifyEnvironment } from "./verify-books.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const at = new Date("2026-11-03T02:00:00.000Z");
const difference = { check: "balance equals entries", subject: id, expected: "5000", found: "4999" };
const verification: Verification = {
  id,
  state: "contradictions",
  requestedBy: "nightly",
  environments: 2,
  checks: 30,
  contradictions: 2,
  found: [
    { ...difference, environmentId: id },
    { ...difference, environmentId: null },
  ],
  failure: null,
  createdAt: at,
  startedAt: at,
  endedAt: at,
};

describe("a verification as it is shown", () => {
  test.each(verificationStates)("that is %s fits the document, in a list and whole", (state) => {
    const open = state === "running" ? { startedAt: null, endedAt: null } : {};
    const one = { ...verification, state, ...open };
    expect(complaintsOf(verificationData)(presentVerification(one))).toEqual({});
    expect(complaintsOf(wholeData)(presentWhole(one))).toEqual({});
  });

  test("in a list has no contradictions, whole it has them, those of the operator without an environment", () => {
    expect(presentVerification(verification)).not.toHaveProperty("found");
    expect(presentWhole(verification).found.map(({ environmentId }) => environmentId)).toEqual([id, null]);
  });

  test("that has not begun has no times", () => {
    const shown = presentVerification({ ...verification, startedAt: null, endedAt: null });
    expect([shown.startedAt, shown.endedAt, shown.createdAt]).toEqual([null, null, at.toISOString()]);
  });

  test.each(["ok", "CLEAN", ""])("is not asked for by the state %j", (state) => {
    expect(Object.keys(complaintsOf(listQuery, "query")({ state }))).toEqual(["state"]);
  });
});

describe("a round over all books", async () => {
  const { db } = await createTestDatabase();
  let environmentId = "";
  beforeAll(async () => {
    environmentId = (await createMerchant(db)).environment.id;
    await createMerchant(db, "Another");
  });

  /** Finds so much wherever it looks. */
  const finding =
    (count: number): Check =>
    async () =>
      Array.from({ length: count }, () => difference);

  async function round(checks: readonly Check[], operatorChecks: readonly Check[]) {
    const found: [Contradiction, string][] = [];
    const steps: Tally[] = [];
    const tally = await verifyBooks(
      db,
      { checks, operatorChecks },
      {
        onFound: (contradiction, kind) => void found.push([contradiction, kind]),
        onStep: async (soFar) => void steps.push(soFar),
      },
    );
    return { found, steps, tally };
  }

  test("counts environments and checks, the operator's books among the checks only", async () => {
    const { tally, steps, found } = await round([finding(0), finding(0)], [finding(0)]);
    expect(tally).toEqual({ environments: 2, checks: 5, contradictions: 0 });
    expect(found).toEqual([]);
    expect(steps).toHaveLength(3);
    expect(steps.at(-1)).toEqual(tally);
  });

  test("tells where each contradiction is", async () => {
    const { tally, found } = await round([finding(1)], [finding(2)]);
    expect(tally.contradictions).toBe(4);
    expect(found.map(([, kind]) => kind)).toEqual(["SANDBOX", "SANDBOX", "operator", "operator"]);
    expect(found.filter(([{ environmentId: where }]) => where === null)).toHaveLength(2);
    expect(found.map(([{ environmentId: where }]) => where)).toContain(environmentId);
  });

  test("counts all of them, also those beyond what is kept", async () => {
    const { tally } = await round([finding(mostKept)], []);
    expect(tally.contradictions).toBe(2 * mostKept);
  });

  test("ends where what follows it breaks off, and where it is told to", async () => {
    const options = { onFound: () => undefined, onStep: () => Promise.reject(new Error("lost")) };
    await expect(verifyBooks(db, { checks: [], operatorChecks: [] }, options)).rejects.toThrow("lost");
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(
      verifyBooks(db, { checks: [finding(1)], operatorChecks: [] }, { onFound: () => undefined, signal }),
    ).rejects.toThrow("stopped");
  });

  test("reads only: a check that writes is refused by the database", async () => {
    const writing: Check = async (tx) => {
      await tx
        .insertInto("list_counters")
        .values({ environment_id: environmentId, resource: "x" } as never)
        .execute();
      return [];
    };
    await expect(verifyEnvironment(db, environmentId, [writing])).rejects.toThrow(/read-only transaction/);
    expect(await verifyEnvironment(db, environmentId, [finding(1)])).toEqual([difference]);
  });
});
