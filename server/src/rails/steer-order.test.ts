import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { inEnvironment, type Tx } from "../platform/database/database.ts";
import { keysOf } from "../platform/keys-of.ts";
import { commonProblem } from "../platform/problem.ts";
import { schedule } from "../platform/work/agenda.ts";
import { requireSteerable, type SteerKind, steerOrder, takeBack } from "./steer-order.ts";

const { db } = await createTestDatabase();
const environmentId = (await createMerchant(db)).environment.id;
const within = <T>(work: (tx: Tx) => Promise<T>) => inEnvironment(db, environmentId, work);

const moves = {
  pending: ["processing", "failed"],
  processing: ["completed", "failed"],
  completed: ["reversed"],
  failed: [],
  reversed: [],
} as const satisfies Record<string, readonly string[]>;
type Status = keyof typeof moves;
interface Parcel {
  readonly id: string;
  readonly status: Status;
}
interface Step {
  readonly to: Status;
}

const statuses = keysOf(moves);
const tasks = ["parcels.ask", "parcels.send"];
const noParcel = () => commonProblem("not_found", { message: "There is no such parcel." });

/** A parcel that stands where it is told, and the steps that were taken with it. */
function parcels(status: Status | undefined, settled: "yes" | "lost to a worker" = "yes") {
  const steps: Step[] = [];
  let now = status;
  const kind: SteerKind<Parcel, Step> = {
    noun: "parcel",
    tasks,
    find: async (_, id) => (now === undefined ? undefined : { id, status: now }),
    notFound: noParcel,
    canMove: (from, to) => (moves[from] as readonly string[]).includes(to),
    settle: async (_, order, step) => {
      steps.push(step);
      if (settled !== "yes") {
        now = "completed";
        return null;
      }
      now = step.to;
      return { ...order, status: step.to };
    },
  };
  return { kind, steps };
}

const agenda = (id: string) =>
  within((tx) => tx.selectFrom("agenda").select("kind").where("subject", "=", id).orderBy("kind").execute());

describe("an order that is ended by somebody's word", () => {
  test("takes the step, and nothing is booked for it any more", async () => {
    const { kind, steps } = parcels("processing");
    await within(async (tx) => {
      const dueAt = tx.environment.clock.after(60_000);
      await schedule(
        tx,
        ["p-1", "p-2"].flatMap((subject) =>
          [...tasks, "parcels.other"].map((task) => ({ kind: task, subject, dueAt })),
        ),
      );
    });
    const ended = await within((tx) => steerOrder(tx, kind, { id: "p-1", step: { to: "completed" } }));
    expect([ended, steps]).toEqual([{ id: "p-1", status: "completed" }, [{ to: "completed" }]]);
    expect(await agenda("p-1")).toEqual([{ kind: "parcels.other" }]);
    expect(await agenda("p-2")).toHaveLength(3);
  });

  test("that nobody has is refused in the domain's own words", async () => {
    const { kind, steps } = parcels(undefined);
    const steered = within((tx) => steerOrder(tx, kind, { id: "p-1", step: { to: "failed" } }));
    await expect(steered).rejects.toMatchObject({ code: "not_found", message: "There is no such parcel." });
    expect(steps).toEqual([]);
  });

  test("that a worker ended first is refused with the state that it has now", async () => {
    const { kind } = parcels("processing", "lost to a worker");
    const steered = within((tx) => steerOrder(tx, kind, { id: "p-1", step: { to: "failed" } }));
    await expect(steered).rejects.toMatchObject({
      code: "invalid_state",
      message: "The parcel is completed, which does not allow this.",
      data: { status: "completed" },
    });
  });

  test("goes only where the table allows, from wherever it stands", () => {
    fc.assert(
      fc.property(fc.constantFrom(...statuses), fc.constantFrom(...statuses), (status, to) => {
        const { kind } = parcels(status);
        const parcel = { id: "p-1", status };
        const steer = () => requireSteerable(kind, parcel, { to, from: undefined });
        if (kind.canMove(status, to)) expect(steer()).toBe(parcel);
        else expect(steer).toThrow(expect.objectContaining({ code: "invalid_state", data: { status } }));
      }),
    );
  });

  test("may be narrowed to some states, which the table does not widen again", () => {
    const { kind } = parcels("pending");
    const narrow = { to: "failed", from: ["processing"] } as const;
    expect(() => requireSteerable(kind, { id: "p", status: "pending" }, narrow)).toThrow("The parcel is pending");
    expect(requireSteerable(kind, { id: "p", status: "processing" }, narrow)).toMatchObject({ status: "processing" });
  });
});

describe("an order that the rail takes back", () => {
  const takenBack = async (status: Status | undefined) => {
    const settled: Parcel[] = [];
    const booked = await takeBack<Parcel>(db, environmentId, {
      find: async () => (status === undefined ? undefined : { id: "p-1", status }),
      notFound: noParcel,
      done: "completed",
      settle: async (parcel) => settled.push(parcel),
    });
    return [booked, settled.length];
  };

  test.each<[Status, boolean, number]>([
    ["completed", true, 1],
    // Its money was given back already.
    ["failed", true, 0],
    ["reversed", true, 0],
    // Its success was not heard of yet: the notice has to come again.
    ["processing", false, 0],
    ["pending", false, 0],
  ])("while it is %s is booked: %s, with %i steps", async (status, booked, steps) => {
    expect(await takenBack(status)).toEqual([booked, steps]);
  });

  test("and that is not ours is refused", async () => {
    await expect(takenBack(undefined)).rejects.toMatchObject({ code: "not_found" });
  });
});
