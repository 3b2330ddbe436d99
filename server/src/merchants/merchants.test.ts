import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { testOrigin } from "../../testing/factories.ts";
import { environmentKinds, inEnvironment, operatorScope, type Tx } from "../platform/database/database.ts";
import { addEnvironment } from "./add-environment.ts";
import { createMerchant } from "./create-merchant.ts";
import { findEnvironment } from "./find-environment.ts";
import { type Environment, isEnvironmentKind } from "./merchant.ts";
import { listMerchants } from "./read-merchants.ts";

const { db } = await createTestDatabase();
const origin = testOrigin;
const opened: string[] = [];
const environmentOpened = async (inside: Tx, environment: Environment) => {
  expect(inside.environment.id).toBe(environment.id);
  opened.push(environment.id);
};

const asOperator = <T>(work: (tx: Tx) => Promise<T>) => inEnvironment(db, operatorScope, work);
const create = (name: string) =>
  asOperator((tx) => createMerchant(tx, { name, email: "owner@example.com", origin, environmentOpened }));

const clocksIn = (environmentId: string) =>
  inEnvironment(db, environmentId, (tx) => tx.selectFrom("environment_clocks").selectAll().execute());

test("a merchant begins with one sandbox, whose clock runs at real time", async () => {
  const merchant = await create("Mama Put Foods");
  expect(merchant).toMatchObject({ name: "Mama Put Foods", environments: [{ kind: "SANDBOX", name: "Sandbox" }] });
  const sandbox = merchant.environments[0]?.id ?? "";
  expect(await clocksIn(sandbox)).toMatchObject([{ environment_id: sandbox, mode: "running", offset_ms: 0n }]);
});

test("a merchant has many sandboxes, each with a clock, and one live environment, with none", async () => {
  const { id: merchantId } = await create("Aso Ebi Fashion");
  const add = (kind: "SANDBOX" | "LIVE", name: string) =>
    asOperator((tx) => addEnvironment(tx, { merchantId, kind, name, origin, environmentOpened }));
  const staging = await add("SANDBOX", "Staging");
  const live = await add("LIVE", "Live");
  expect(await clocksIn(staging.id)).toHaveLength(1);
  expect(await clocksIn(live.id)).toHaveLength(0);
  await expect(add("LIVE", "Second")).rejects.toMatchObject({ code: "live_environment_exists", status: 409 });
  expect((await add("SANDBOX", "Staging")).name).toBe("Staging");
  expect(opened).toEqual(expect.arrayContaining([staging.id, live.id]));
});

test("of two live environments created at once one is refused", async () => {
  const { id: merchantId } = await create("Twin Stores");
  const add = () =>
    asOperator((tx) => addEnvironment(tx, { merchantId, kind: "LIVE", name: "Live", origin, environmentOpened }));
  const outcomes = await Promise.allSettled([add(), add()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "live_environment_exists" },
  });
});

test.each(["01932c5e-0000-7000-8000-000000000000", "not-a-uuid"])(
  "the merchant %s is not found",
  async (merchantId) => {
    const command = { merchantId, kind: "SANDBOX" as const, name: "x", origin, environmentOpened };
    await expect(asOperator((tx) => addEnvironment(tx, command))).rejects.toMatchObject({
      code: "merchant_not_found",
      status: 404,
    });
  },
);

test("merchants are listed newest first with their environments", async () => {
  const older = await create("Older");
  const newer = await create("Newer");
  await asOperator((tx) =>
    addEnvironment(tx, { merchantId: older.id, kind: "LIVE", name: "Live", origin, environmentOpened }),
  );
  const { rows, pagination } = await asOperator((tx) => listMerchants(tx, { page: 1, limit: 2 }));
  expect(rows.map(({ id }) => id)).toEqual([newer.id, older.id]);
  expect(rows[1]?.environments.map(({ kind }) => kind)).toEqual(["SANDBOX", "LIVE"]);
  expect(pagination).toMatchObject({ currentPage: 1, itemsPerPage: 2, hasNextPage: true });
  const pastTheEnd = await asOperator((tx) => listMerchants(tx, { page: 1_000, limit: 100 }));
  expect(pastTheEnd.rows).toEqual([]);
  expect(pastTheEnd.pagination.totalItems).toBe(pagination.totalItems);
});

test("an environment sees itself and no other", async () => {
  const [one, other] = [
    (await create("One")).environments[0]?.id ?? "",
    (await create("Other")).environments[0]?.id ?? "",
  ];
  const seenFromOne = (id: string) => inEnvironment(db, one, (tx) => findEnvironment(tx, id));
  expect((await seenFromOne(one)).id).toBe(one);
  await expect(seenFromOne(other)).rejects.toMatchObject({ code: "environment_not_found", status: 404 });
  await expect(seenFromOne("not-a-uuid")).rejects.toMatchObject({ code: "environment_not_found" });
});

test("the kinds of environment are those that the database takes", async () => {
  const { id } = await create("Kinds");
  for (const kind of environmentKinds) expect(isEnvironmentKind(kind)).toBe(true);
  expect(isEnvironmentKind("PRODUCTION")).toBe(false);
  const insert = (kind: string) =>
    asOperator((tx) =>
      tx
        .insertInto("environments")
        .values({ id: tx.environment.clock.newId(), merchant_id: id, kind, name: "x", created_at: new Date() })
        .execute(),
    );
  for (const kind of environmentKinds) await insert(kind);
  await expect(insert("PRODUCTION")).rejects.toMatchObject({ constraint: "environments_kind_check" });
});
