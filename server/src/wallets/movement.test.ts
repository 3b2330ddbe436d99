import { describe, expect, test } from "vitest";
import { systemAccountId } from "../ledger/account.ts";
import { type Kobo, kobo } from "../money/kobo.ts";
import { feePosting, operatorAccounts } from "./inbound-credit.ts";
import { type Movement, type MovementKind, postingOf } from "./movement.ts";
import { csvHeader, csvLine, exampleLine, presentLine } from "./statement-line.ts";
import { presentOpening, presentState } from "./sub-account-state.ts";
import type { VirtualAccount } from "./virtual-account.ts";
import { mainWalletId, type Wallet } from "./wallet.ts";

const environmentId = "01998a4e-0000-7000-8000-000000000001";
const at = new Date("2026-11-03T09:15:00.000Z");
const outside = systemAccountId(environmentId, "outside");
const movement = (kind: MovementKind, changes: Partial<Movement> = {}): Movement => ({
  id: "m1",
  kind,
  reference: "ref-1",
  from: null,
  to: "w1",
  amount: kobo(250_000n),
  senderName: null,
  reason: null,
  createdAt: at,
  ...changes,
});

describe("a movement in the ledger", () => {
  test.each<[MovementKind, Partial<Movement>, string, string, string, string]>([
    ["funding", {}, "wallet.funded", "Sandbox funding", outside, "w1"],
    ["inbound_credit", { senderName: "Ada Obi" }, "wallet.credited", "Transfer from Ada Obi", outside, "w1"],
    ["inbound_credit", {}, "wallet.credited", "Transfer from an unknown sender", outside, "w1"],
    ["own_transfer", { from: "w2" }, "wallet.transferred", "Transfer between own accounts", "w2", "w1"],
    ["operator_credit", { reason: "Ticket 7" }, "wallet.operator_credited", "Ticket 7", outside, "w1"],
    [
      "operator_debit",
      { from: "w1", to: null },
      "wallet.operator_debited",
      "Correction by the operator",
      "w1",
      outside,
    ],
  ])("of kind %s (%j) is %s, %s", (kind, changes, type, narration, from, to) => {
    const posting = postingOf(environmentId, movement(kind, changes));
    expect(posting).toMatchObject({ id: "m1", kind: type, narration });
    expect(posting.legs).toEqual([
      { accountId: from, amount: -250_000n },
      { accountId: to, amount: 250_000n },
    ]);
  });

  test("comes from the account that stands for the outside, which may be a provider's", () => {
    const posting = postingOf(environmentId, movement("inbound_credit"), "inbound_clearing");
    expect(posting.legs[0]?.accountId).toBe(systemAccountId(environmentId, "inbound_clearing"));
  });

  test("can be found again by the merchant's reference", () => {
    const resource = { type: "wallet_movement", id: "m1", reference: "ref-1" };
    expect(postingOf(environmentId, movement("funding")).resource).toEqual(resource);
  });
});

describe("what a provider kept of money that came in", () => {
  const resource = { type: "inbound_credit", id: "c1", reference: null };

  test("is the operator's cost, and never the merchant's", () => {
    const names = { clearing: "inbound_clearing", costs: "inbound_costs" };
    const posting = feePosting(environmentId, names, { id: "f1", amount: kobo(5_000n), resource });
    expect(posting.legs).toEqual([
      { accountId: systemAccountId(environmentId, "inbound_costs"), amount: -5_000n },
      { accountId: systemAccountId(environmentId, "inbound_clearing"), amount: 5_000n },
    ]);
  });

  test("stands apart for test money and for real money", () => {
    const [live, trial] = [operatorAccounts("live"), operatorAccounts("test")];
    expect(live).toEqual({ clearing: "inbound_clearing", costs: "inbound_costs", suspense: "inbound_suspense" });
    expect(new Set([...Object.values(live), ...Object.values(trial)]).size).toBe(6);
  });
});

describe("a line of a statement", () => {
  const line = (amount: bigint, changes: Partial<typeof exampleLine> = {}) => ({
    ...exampleLine,
    amount: kobo(amount),
    ...changes,
  });

  test.each([
    [1_250_000n, "credit", 12_500],
    [-1_250_000n, "debit", 12_500],
    [-1n, "debit", 0.01],
    [1n, "credit", 0.01],
  ])("of %s kobo is a %s of %d naira", (amount, direction, naira) => {
    expect(presentLine(line(amount))).toMatchObject({ direction, amount: naira, currency: "NGN" });
  });

  test("has the same fields in the file as its header names", () => {
    const cells = csvLine(line(-1_250_000n)).trimEnd().split(",");
    expect(cells).toHaveLength(csvHeader.trimEnd().split(",").length);
    expect(
      Object.fromEntries(
        csvHeader
          .trimEnd()
          .split(",")
          .map((name, place) => [name, cells[place]]),
      ),
    ).toMatchObject({
      direction: "debit",
      amount: "12500.00",
      balanceAfter: "37500.50",
      narration: "Transfer from Ada Obi",
      createdAt: "2026-11-03T09:15:00.000Z",
    });
  });

  test.each(['=HYPERLINK("https://thief.example")', "+1", "-1", "@SUM(A1)", "\tRent", " =1"])(
    "with the narration %j runs nothing in a spreadsheet",
    (narration) => {
      const [, told = ""] = /NGN,("?)('.*)/.exec(csvLine(line(1n, { narration }))) ?? [];
      const written = csvLine(line(1n, { narration }));
      expect(written).toContain(`'${narration.replaceAll('"', '""')}`);
      expect(told).toBe(narration.includes('"') ? '"' : "");
    },
  );

  test("with a reference like a formula runs nothing either, and one with a comma stays one cell", () => {
    const resource = { ...exampleLine.resource, reference: "=1+1,2" };
    expect(csvLine(line(1n, { resource }))).toContain(`"'=1+1,2"`);
  });

  test("without a narration has an empty cell", () => {
    expect(csvLine(line(1n, { narration: null }))).toContain(",NGN,,");
    expect(presentLine(line(1n, { narration: null })).narration).toBeNull();
  });
});

describe("a sub-account", () => {
  const wallet: Wallet = {
    id: "w1",
    isMain: false,
    accountName: "Ada's Shop",
    accountNumber: "9930000020",
    externalId: null,
    provided: null,
    createdAt: at,
  };
  const balance: Kobo = kobo(150n);

  test("of a sandbox can be paid to at once, by a number of our making", () => {
    expect(presentState(wallet, "SANDBOX", balance)).toMatchObject({
      accountNumber: "9930000020",
      bankName: "Jara Sandbox Bank",
      balance: 1.5,
      status: "active",
    });
  });

  test("that is live shows only a number that a bank has given out: money sent to another would be lost", () => {
    expect(presentState(wallet, "LIVE", balance)).toMatchObject({ accountNumber: null, bankName: null });
    const provided = { connectionId: "c1", bankName: "Wema Bank", holderReference: "CUS_1" };
    expect(presentState({ ...wallet, provided }, "LIVE", balance)).toMatchObject({
      accountNumber: "9930000020",
      bankName: "Wema Bank",
    });
  });

  const order: VirtualAccount = {
    id: "w1",
    accountName: "Ada's Shop",
    externalId: "shop-7",
    status: "pending",
    connectionId: null,
    tries: 0,
    sentAt: null,
    refusal: null,
    createdAt: at,
  };

  test.each([
    ["pending", "opening"],
    ["processing", "opening"],
    ["opened", "opening"],
    ["refused", "refused"],
  ] as const)("that is %s at the provider is shown as %s, without a number", (status, shown) => {
    const refusal = status === "refused" ? { code: "bvn_required", message: "A BVN is required" } : null;
    expect(presentOpening({ ...order, status, refusal })).toEqual({
      id: "w1",
      accountName: "Ada's Shop",
      accountNumber: null,
      bankName: null,
      balance: 0,
      externalId: "shop-7",
      createdAt: at.toISOString(),
      status: shown,
      refusal,
    });
  });
});

test("every environment has a main wallet of its own, known without a look", () => {
  expect(mainWalletId(environmentId)).toBe(mainWalletId(environmentId));
  expect(mainWalletId(environmentId)).not.toBe(mainWalletId("01998a4e-0000-7000-8000-000000000002"));
});
