/** `jara search` as a process of its own. */
import { expect, test } from "vitest";
import { createCommandWorld } from "./world.ts";

const { jara, sdk } = await createCommandWorld();

const payout = { accountNumber: "0123456789", bankCode: "058", currency: "NGN" } as const;

test("a payout is found by reference, account number, amount and holder's name in several words", async () => {
  const { id, accountName } = await sdk.transfers.create({ ...payout, amount: "2510.75", reference: "found-1" });
  await sdk.transfers.waitUntilFinal(id);
  for (const words of [["found-1"], [payout.accountNumber], ["2,510.75"], String(accountName).split(" "), [id]]) {
    const { code, out } = await jara.call("search", ...words);
    expect(code).toBe(0);
    expect(out).toMatch(/KIND +TIME +STATUS +NAIRA +TITLE +ABOUT +ID\n/);
    expect(out).toMatch(new RegExp(`transfer .* completed +2,510\\.75 +found-1 .*Guaranty Trust Bank +${id}`));
  }
});

test("--json is what the SDK returns, and nothing found is said", async () => {
  await sdk.transfers.create({ ...payout, amount: 2500, reference: "found-2" });
  const { out } = await jara.run("search", "found-2", "--json");
  const [found] = JSON.parse(out);
  expect(found).toMatchObject({ kind: "transfer", title: "found-2", amount: 2500, path: `/transfers/${found.id}` });
  expect(await sdk.search("found-2")).toMatchObject([{ id: found.id, kind: "transfer" }]);
  const nothing = await jara.call("search", "nobody's");
  expect(nothing).toMatchObject({ code: 0 });
  expect(nothing.out + nothing.err).toContain("Nothing found.");
  expect(JSON.parse((await jara.call("search", "nobody's", "--json")).out)).toEqual([]);
});

test("what is too long is refused in words", async () => {
  expect(await jara.call("search", "x".repeat(200))).toMatchObject({ code: 5, err: expect.stringContaining("q") });
  expect(await jara.call("search")).toMatchObject({ code: 2 });
});
