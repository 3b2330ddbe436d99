/** What wallets take from the wire, and how they show what they have. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo } from "../money/kobo.ts";
import type { Movement } from "./movement.ts";
import {
  balanceData,
  correctionBody,
  creditBody,
  fundBody,
  moveBody,
  movementData,
  openSubAccountBody,
  presentBalance,
  presentMovement,
  presentSubAccount,
  statementQuery,
  subAccountData,
} from "./schemas.ts";
import { virtualAccountBank, type Wallet } from "./wallet.ts";

const walletId = "01932c60-1d2e-7a3b-8c4d-5e6f70819203";
const otherId = "01932c60-9a8b-7c6d-9e0f-a1b2c3d4e5f6";
const at = new Date("2026-11-03T09:15:00.000Z");

const bodies = [
  ["a move", moveBody, { from: walletId, to: otherId, amount: 25_000, reference: "settle-1" }],
  ["funding", fundBody, { amount: 50_000 }],
  ["a credit", creditBody, { accountNumber: "4027719385", amount: 12_500, senderName: "Ada Obi" }],
  ["a correction", correctionBody, { amount: 500_000, reference: "inflow-1", reason: "Inflow of 3 November" }],
] as const;

describe("a body that moves money", () => {
  test.each(bodies)("of %s has an amount above nothing and below what nobody pays", (_, schema, body) => {
    const complaints = complaintsOf(schema);
    for (const amount of [0.01, 10_000_000_000]) expect(complaints({ ...body, amount })).toEqual({});
    for (const amount of [0, -0.01, 0.001, 10_000_000_000.01, 1e300, "1", null]) {
      expect(Object.keys(complaints({ ...body, amount })), String(amount)).toEqual(["amount"]);
    }
  });

  test.each([
    ["a correction", correctionBody, bodies[3][2], "reason", 200],
    ["a credit", creditBody, bodies[2][2], "senderName", 100],
  ] as const)("of %s has words that people can read", (_, schema, body, field, most) => {
    const complaints = complaintsOf(schema);
    expect(complaints({ ...body, [field]: "ọ".repeat(most) })).toEqual({});
    for (const text of ["", "  ", "\t\n", "x".repeat(most + 1)]) {
      expect(Object.keys(complaints({ ...body, [field]: text })), JSON.stringify(text)).toEqual([field]);
    }
  });

  test("of a move takes any text for an account, because who asks is told only whether it is theirs", () => {
    const complaints = complaintsOf(moveBody);
    expect(complaints({ ...bodies[0][2], from: "not-an-id" })).toEqual({});
    expect(complaints({ ...bodies[0][2], from: "x".repeat(101) })).toHaveProperty("from");
  });

  test.each(["402771938", "40277193855", "402771938a", "٤٠٢٧٧١٩٣٨٥"])(
    "of a credit has no account number %j",
    (accountNumber) => {
      expect(complaintsOf(creditBody)({ ...bodies[2][2], accountNumber })).toEqual({
        accountNumber: "does not have the expected form: A virtual account number: payments to it arrive here.",
      });
    },
  );
});

describe("a sub-account", () => {
  const complaints = complaintsOf(openSubAccountBody);

  test.each([
    [{ accountName: "Mama Put Ikeja" }, []],
    [{ accountName: "Ọ̀rẹ́ & Sons", externalId: "b-1" }, []],
    [{ accountName: "x".repeat(100), externalId: "y".repeat(100) }, []],
    [{}, ["accountName"]],
    [{ accountName: "   " }, ["accountName"]],
    [{ accountName: "x".repeat(101) }, ["accountName"]],
    [{ accountName: "A", externalId: "" }, ["externalId"]],
    [{ accountName: "A", externalId: "y".repeat(101) }, ["externalId"]],
    [{ accountName: "A", externalId: null }, ["externalId"]],
  ])("%j is refused at %j", (body, fields) => {
    expect(Object.keys(complaints(body))).toEqual(fields);
  });

  const wallet: Wallet = {
    id: walletId,
    accountName: "Mama Put Ikeja",
    accountNumber: "4027719385",
    externalId: null,
    createdAt: at,
    provided: null,
  } as Wallet;

  test("is shown with our bank's name, or with that of the bank which gave out the number", () => {
    const shown = presentSubAccount(wallet, kobo(2_500_050n));
    expect(shown).toMatchObject({ bankName: virtualAccountBank, balance: 25_000.5, externalId: null });
    expect(complaintsOf(subAccountData)(shown)).toEqual({});
    const provided = { ...wallet, provided: { bankName: "Wema Bank" } } as Wallet;
    expect(presentSubAccount(provided, kobo(0n)).bankName).toBe("Wema Bank");
  });
});

describe("a balance", () => {
  test("is shown to the kobo, what is held apart from what can be spent", () => {
    const shown = presentBalance({ accountId: walletId, available: kobo(97_497_312n), held: kobo(2_502_688n) });
    expect(shown).toEqual({ accountId: walletId, available: 974_973.12, held: 25_026.88, currency: "NGN" });
    expect(complaintsOf(balanceData)(shown)).toEqual({});
  });

  test("comes out exactly for every amount that a wallet can hold", () => {
    const some = fc.bigInt(-(10n ** 13n), 10n ** 13n);
    fc.assert(
      fc.property(some, some, (available, held) => {
        const shown = presentBalance({ accountId: walletId, available: kobo(available), held: kobo(held) });
        expect(Math.round(shown.available * 100)).toBe(Number(available));
        expect(Math.round(shown.held * 100)).toBe(Number(held));
      }),
    );
  });
});

describe("a move as it is shown", () => {
  const movement: Movement = {
    id: walletId,
    kind: "own_transfer",
    reference: "settle-1",
    from: walletId,
    to: otherId,
    amount: kobo(2_500_001n),
    senderName: null,
    reason: null,
    createdAt: at,
  };

  test("has both of its sides", () => {
    const shown = presentMovement(movement);
    expect(shown).toEqual({
      id: walletId,
      reference: "settle-1",
      from: walletId,
      to: otherId,
      amount: 25_000.01,
      currency: "NGN",
      createdAt: at.toISOString(),
    });
    expect(complaintsOf(movementData)(shown)).toEqual({});
  });

  test.each([{ reference: null }, { from: null }, { to: null }])("is not one with %j", (change) => {
    expect(() => presentMovement({ ...movement, ...change })).toThrow("is not a move between own accounts");
  });
});

test.each([
  { page: "0" },
  { limit: "101" },
  { from: "yesterday" },
  { to: "2026-13-01" },
  { accountId: "x".repeat(101) },
])("a statement is not asked for with %j", (query) => {
  expect(Object.keys(complaintsOf(statementQuery, "query")(query))).toEqual(Object.keys(query));
});
