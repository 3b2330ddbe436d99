/** What a bug in a money path would leave in the books: each kind is planted, and verification names it. */
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { asOwner } from "../../testing/work.ts";
import { heldAccountId, systemAccountId } from "../ledger/account.ts";
import { type Posting, post } from "../ledger/post.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { house } from "../start/slices.ts";
import { mainWalletId } from "../wallets/wallet.ts";

const { call, db, ownerUrl, merchant } = await createTestApp();
const { id: environmentId } = merchant.environment;
const wallet = mainWalletId(environmentId);
const held = heldAccountId(wallet);
const system = (purpose: string) => systemAccountId(environmentId, purpose);

/** Of each kind one that ended well, one that failed, one that was taken back, and one that is open. */
let payouts: Record<"paid" | "failed" | "reversed" | "open", string>;
let bills: Record<"paid" | "failed" | "open", string>;

beforeEach(async () => {
  await call("POST", "/sandbox/reset");
  await call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "planted" } });
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  payouts = {
    paid: await pay("paid", 20_000),
    failed: await pay("a_FAIL", 3_000),
    reversed: await pay("b_REVERSE", 4_000),
    open: await pay("c_PENDING", 5_000),
  };
  bills = {
    paid: await vend("bill", 1_000),
    failed: await vend("d_FAIL", 1_100),
    open: await vend("e_PENDING", 1_200),
  };
  await call("POST", "/sandbox/clock/advance", { body: { seconds: 60 } });
});

async function pay(reference: string, amount: number): Promise<string> {
  const body = { accountNumber: "0123456789", bankCode: "058", amount, currency: "NGN", reference };
  return (await call("POST", "/transfers", { body })).json().data.id;
}

async function vend(reference: string, amount: number): Promise<string> {
  const body = { network: "MTN", phoneNumber: "08031234567", amount, reference };
  return (await call("POST", "/bills/airtime/vend", { body })).json().data.id;
}

const verify = () => inEnvironment(db, environmentId, (tx) => house.verify(tx));

type Planted = Pick<Posting, "kind" | "resource"> & { readonly legs: readonly (readonly [string, bigint])[] };

async function plant({ kind, resource, legs }: Planted): Promise<void> {
  await inEnvironment(db, environmentId, (tx) =>
    post(tx, {
      id: tx.environment.clock.newId(),
      kind,
      resource,
      narration: null,
      legs: legs.map(([accountId, amount]) => ({ accountId, amount: kobo(amount) })),
    }),
  );
}

const ofPayout = (id: string) => ({ type: "transfer", id, reference: "planted" });
const ofBill = (id: string) => ({ type: "bill", id, reference: "planted" });

describe("a verification", () => {
  test("finds nothing wrong with payments of every outcome", async () => {
    const states = async (path: string) => {
      const listed: { reference: string; status: string }[] = (await call("GET", path)).json().data;
      return Object.fromEntries(listed.map(({ reference, status }) => [reference, status]));
    };
    expect(await states("/transfers")).toEqual({
      paid: "completed",
      a_FAIL: "failed",
      b_REVERSE: "reversed",
      c_PENDING: "processing",
    });
    expect(await states("/bills")).toEqual({ bill: "successful", d_FAIL: "failed", e_PENDING: "processing" });
    expect(await verify()).toEqual([]);
  });

  test("names a payout that was settled twice, and what is held below nothing", async () => {
    const legs = [
      [held, -20_000_00n - 26_88n - 50_00n],
      [system("bank_settlement"), 20_000_00n],
      [system("fee_income"), 25_00n],
      [system("vat_payable"), 1_88n],
      [system("stamp_duty_payable"), 50_00n],
    ] as const;
    await plant({ kind: "transfer.completed", resource: ofPayout(payouts.paid), legs });
    const found = await verify();
    const about = { check: "transfer is booked as its state says" };
    expect(found).toContainEqual({ ...about, subject: `${payouts.paid} postings`, expected: "2", found: "3" });
    expect(found).toContainEqual({ ...about, subject: `${payouts.paid} held`, expected: "0", found: "-2007688" });
    const { subject, expected } = { subject: `${payouts.paid} bank_settlement`, expected: "2000000" };
    expect(found).toContainEqual({ ...about, subject, expected, found: "4000000" });
  });

  test("names a commission that was paid twice", async () => {
    const legs = [
      [wallet, 20_00n],
      [system("commission_expense"), -20_00n],
    ] as const;
    await plant({ kind: "bill.commission", resource: ofBill(bills.paid), legs });
    const subjects = (await verify()).map(({ check, subject }) => `${check}: ${subject}`);
    expect(subjects.toSorted()).toEqual(
      ["commission_expense", "postings", "wallet"].map(
        (what) => `bill is booked as its state says: ${bills.paid} ${what}`,
      ),
    );
  });

  test("names a fee that went to a wrong account, though everything sums to zero", async () => {
    const legs = [
      [system("fee_income"), -25_00n],
      [system("vat_payable"), 25_00n],
    ] as const;
    await plant({ kind: "transfer.completed", resource: ofPayout(payouts.paid), legs });
    const subjects = (await verify()).map(({ subject }) => subject);
    for (const purpose of ["fee_income", "vat_payable"]) expect(subjects).toContain(`${payouts.paid} ${purpose}`);
  });

  test.each(["fee_income", "stamp_duty_payable", "bank_settlement", "bills_settlement", "commission_expense"])(
    "names a posting on %s that no payment accounts for",
    async (purpose) => {
      const id = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";
      const legs = [
        [system(purpose), 7n],
        [system("outside"), -7n],
      ] as const;
      await plant({ kind: "test.rogue", resource: { type: "test", id, reference: null }, legs });
      expect(await verify()).toEqual([
        { check: "account has payments only", subject: purpose, expected: "0", found: "7 of test" },
      ]);
      await plant({ kind: "transfer.completed", resource: ofPayout(id), legs });
      expect((await verify()).map(({ subject }) => subject)).toContain(`${id} ${purpose}`);
    },
  );

  test("names money that left what is held for an open payout", async () => {
    const legs = [
      [held, -1n],
      [wallet, 1n],
    ] as const;
    await plant({ kind: "transfer.failed", resource: ofPayout(payouts.open), legs });
    const subjects = (await verify()).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(["held", "postings", "wallet"].map((what) => `${payouts.open} ${what}`));
  });

  test.each<[string, () => string, string]>([
    ["a payout", () => payouts.paid, "transfers set status = 'failed'"],
    ["a payout that is open", () => payouts.open, "transfers set status = 'completed'"],
    ["a payout that was taken back", () => payouts.reversed, "transfers set status = 'completed'"],
    ["a bill", () => bills.paid, "bills set status = 'reversed'"],
    ["a bill that is open", () => bills.open, "bills set status = 'successful'"],
    ["a bill whose amount changed", () => bills.failed, "bills set status = 'processing', amount = amount + 1"],
  ])("names %s whose state moved without its money", async (_what, id, change) => {
    await asOwner(ownerUrl, `update ${change} where id = '${id()}'`);
    expect((await verify()).map(({ subject }) => subject).join()).toContain(id());
  });

  test("names a payment that the ledger has and the list has not", async () => {
    await asOwner(ownerUrl, `delete from transfers where id = '${payouts.open}'`);
    expect((await verify()).map(({ subject }) => subject)).toContain(`${payouts.open} held`);
  });
});
