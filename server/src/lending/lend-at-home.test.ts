/** All live environments are one lender, whose debts are looked up in one database: from a cell nobody lends for real. */
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createLive, createMerchant } from "../../testing/factories.ts";
import { asOwner } from "../../testing/work.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { orderSubAccount } from "../wallets/open-wallet.ts";
import { openLoanAccount } from "./open-loan-account.ts";
import { findProduct } from "./products.ts";

const { db, ownerUrl } = await createTestDatabase();
const live = await createLive(db);
const sandbox = (await createMerchant(db)).environment.id;

const liveIn = (environmentId: string, cell: string | null) =>
  asOwner(
    ownerUrl,
    `update environments set cell = ${cell === null ? "null" : `'${cell}'`} where id = '${environmentId}'`,
  );
const lend = (environmentId: string) =>
  inEnvironment(db, environmentId, async (tx) =>
    openLoanAccount(tx, {
      owner: { kind: "loan_request", id: tx.environment.clock.newId() },
      product: await findProduct(tx),
      terms: { amount: kobo(5_000_000n), tenor: 3, tenorType: "monthly" },
    }),
  );
const open = (environmentId: string, externalId: string) =>
  inEnvironment(db, environmentId, (tx) => orderSubAccount(tx, { accountName: "Ikeja branch", externalId }));
const accounts = (environmentId: string) =>
  inEnvironment(db, environmentId, async (tx) => (await tx.selectFrom("loan_accounts").select("id").execute()).length);

describe("a live environment", () => {
  test("lends and opens account numbers at home", async () => {
    expect((await lend(live)).status).toBe("pending");
    expect(await open(live, "branch-1")).toMatchObject({ replayed: false });
  });

  test("is refused a loan in a cell, and told whom to ask", async () => {
    const before = await accounts(live);
    await liveIn(live, "abuja");
    await expect(lend(live)).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      headers: { "retry-after": "3600" },
      message: expect.stringMatching(/no loan can be made.*move it home\.$/),
    });
    expect(await accounts(live)).toBe(before);
  });

  test("is refused an account number in a cell: money paid to it would be booked elsewhere", async () => {
    await liveIn(live, "abuja");
    await expect(open(live, "branch-2")).rejects.toMatchObject({ code: "unavailable" });
  });

  test("lends again when it is home again", async () => {
    await liveIn(live, null);
    expect((await lend(live)).status).toBe("pending");
  });
});

test("a sandbox lends wherever it lives: it is a lender of its own", async () => {
  await liveIn(sandbox, "abuja");
  expect((await lend(sandbox)).status).toBe("pending");
});
