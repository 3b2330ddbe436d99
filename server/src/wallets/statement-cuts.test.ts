/**
 * Any page and any cut of a statement is a chain: each balance is the one before it and an amount. That holds though
 * transactions take their time before they get the wallet's lock, and though a sandbox's clock can be set back.
 */
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { fundWallet } from "./credit-wallet.ts";

const { db, call } = await createTestApp();

interface Line {
  readonly id: string;
  readonly direction: "debit" | "credit";
  readonly amount: number;
  readonly balanceAfter: number;
  readonly createdAt: string;
}

async function openWallet() {
  const { environment, secretKey: key } = await createMerchant(db);
  const page = async (query: string): Promise<{ data: Line[]; pagination: { totalItems: number } }> =>
    (await call("GET", `/wallets/transactions?${query}`, { key })).json();
  return {
    key,
    fund: (amount: bigint) => inEnvironment(db, environment.id, (tx) => fundWallet(tx, { amount: kobo(amount) })),
    /** Takes its moment, waits for what is given, and only then asks for the wallet. */
    fundAfter: (amount: bigint, before: (now: Date) => Promise<unknown>) =>
      inEnvironment(db, environment.id, async (tx) => {
        await before(tx.environment.clock.now());
        await fundWallet(tx, { amount: kobo(amount) });
      }),
    page,
    /** All of a cut, oldest first, by its pages, each of which must be a chain too. */
    async cut(span: string): Promise<Line[]> {
      const lines: Line[] = [];
      for (let number = 1; ; number += 1) {
        const { data, pagination } = await page(`${span}&limit=7&page=${number}`);
        expectChain(data.toReversed());
        lines.push(...data);
        if (data.length === 0) {
          expect(pagination.totalItems).toBe(lines.length);
          return lines.reverse();
        }
      }
    },
    async csv(span: string): Promise<string[]> {
      const reply = await call("GET", `/wallets/transactions?${span}`, { key, headers: { accept: "text/csv" } });
      const rows = reply.body.trimEnd().split("\r\n").slice(1);
      return rows.map((row) => row.split(",")[0] ?? "").reverse();
    },
  };
}

const inKobo = (naira: number): number => Math.round(naira * 100);

function expectChain(lines: readonly Line[]): void {
  for (const [place, line] of lines.entries()) {
    const before = lines[place - 1];
    if (before === undefined) continue;
    const change = line.direction === "credit" ? line.amount : -line.amount;
    expect(inKobo(line.balanceAfter)).toBe(inKobo(before.balanceAfter) + inKobo(change));
  }
}

type Wallet = Awaited<ReturnType<typeof openWallet>>;

/** Cuts the statement at the moments: the pieces are chains, and together they are the whole, each line once. */
async function expectWholeInPieces(wallet: Wallet, moments: readonly string[]): Promise<void> {
  const whole = await wallet.cut("");
  const bounds = [undefined, ...moments.toSorted(), undefined];
  const pieces: Line[] = [];
  for (const [place, to] of bounds.entries()) {
    if (place === 0) continue;
    const from = bounds[place - 1];
    const span = [from && `from=${from}`, to && `to=${to}`].filter(Boolean).join("&");
    const lines = await wallet.cut(span);
    expectChain(lines);
    expect(await wallet.csv(span)).toEqual(lines.map(({ id }) => id));
    pieces.push(...lines);
  }
  expect(pieces).toEqual(whole);
}

test("a line that took its time before the one above it does not tear a cut apart", async () => {
  const wallet = await openWallet();
  await wallet.fund(100n);
  const later = async (now: Date) => {
    while (Date.now() <= now.getTime()) await new Promise((resolve) => setImmediate(resolve));
    await wallet.fund(200n);
  };
  await wallet.fundAfter(400n, later);
  const lines = await wallet.cut("");
  const [first, second, third] = lines.map(({ createdAt }) => createdAt);
  expect(lines.map(({ amount }) => inKobo(amount))).toEqual([100, 200, 400]);
  // The times run backwards: that is what the cut must bear.
  expect(Date.parse(third ?? "")).toBeLessThan(Date.parse(second ?? ""));
  await expectWholeInPieces(wallet, [first ?? "", second ?? "", third ?? ""]);
});

test("of what many write at once every cut is a chain, and adjacent cuts lose and double nothing", async () => {
  const wallet = await openWallet();
  await Promise.all(Array.from({ length: 40 }, (_, n) => wallet.fund(BigInt(n + 1))));
  const times = [...new Set((await wallet.cut("")).map(({ createdAt }) => createdAt))];
  await expectWholeInPieces(wallet, times);
});

test("a clock that was set back leaves every cut a chain, and the newest line is found by its own time", async () => {
  const wallet = await openWallet();
  for (const now of ["2026-11-02T08:00:00Z", "2027-05-01T08:00:00Z", "2026-11-03T08:00:00Z"]) {
    await call("PUT", "/sandbox/clock", { key: wallet.key, body: { mode: "frozen", now, seed: "s" } });
    await call("POST", "/sandbox/wallets/fund", { key: wallet.key, body: { amount: 100 } });
  }
  await expectWholeInPieces(
    wallet,
    ["2026-11-02", "2026-11-03", "2026-11-04", "2027-05-01"].map((day) => `${day}T00:00:00Z`),
  );
  const newest = (await wallet.page("limit=1")).data[0];
  expect((await wallet.cut("from=2026-11-03&to=2026-11-03")).at(-1)).toEqual(newest);
});
