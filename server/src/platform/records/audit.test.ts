import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { inEnvironment, operatorScope, type Tx } from "../database/database.ts";
import { type AuditAction, listAudit, originOf, recordAudit } from "./audit.ts";

const { db, ownerUrl } = await createTestDatabase();
const origin = { actor: "operator", address: "203.0.113.7", requestId: "req-1" };
const action: AuditAction = { action: "thing.change", subjectType: "thing", subjectId: "1", detail: { size: 2 } };

const asOperator = <T>(work: (tx: Tx) => Promise<T>) => inEnvironment(db, operatorScope, work);
const newest = async () => (await asOperator((tx) => listAudit(tx, { page: 1, limit: 1 }))).rows[0];

test("an entry says who, what, when, from where and by which request", async () => {
  await asOperator((tx) => recordAudit(tx, origin, action));
  const entry = await newest();
  expect(entry).toMatchObject({ ...origin, ...action, environmentId: null });
  expect(Math.abs((entry?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

test("an operator's request is its own origin", () => {
  const request = { operator: { name: "operator" }, address: "::1", requestId: "req-2" };
  expect(originOf(request)).toEqual({ actor: "operator", address: "::1", requestId: "req-2" });
});

test("an action that fails leaves no entry, and a gapless trail", async () => {
  await asOperator((tx) => recordAudit(tx, origin, { ...action, subjectId: "before" }));
  await expect(
    asOperator(async (tx) => {
      await recordAudit(tx, origin, { ...action, subjectId: "failed" });
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  await asOperator((tx) => recordAudit(tx, origin, { ...action, subjectId: "after" }));
  const { rows, pagination } = await asOperator((tx) => listAudit(tx, { page: 1, limit: 100 }));
  expect(rows.map(({ subjectId }) => subjectId).slice(0, 2)).toEqual(["after", "before"]);
  expect(pagination.totalItems).toBe(rows.length);
});

test.each(["update audit_entries set actor = 'nobody'", "delete from audit_entries", "truncate audit_entries"])(
  "not even the owner of the schema can run %j",
  async (statement) => {
    await asOperator((tx) => recordAudit(tx, origin, action));
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    await expect(owner.query(statement)).rejects.toThrow("append-only");
    await owner.end();
  },
);

test("a tenant can neither read nor write the trail", async () => {
  const tenant = "01932c5e-0000-7000-8000-000000000001";
  const seen = await inEnvironment(db, tenant, (tx) => tx.selectFrom("audit_entries").selectAll().execute());
  expect(seen).toEqual([]);
  await expect(inEnvironment(db, tenant, (tx) => recordAudit(tx, origin, action))).rejects.toThrow(
    "row-level security",
  );
});
